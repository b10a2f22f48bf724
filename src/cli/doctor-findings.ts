/** What `colophon doctor` finds: one look at each thing that a start needs. */

import { once } from 'node:events';
import { access, constants, mkdtemp, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { type Log, silentLog } from '../base/log.ts';
import { isLoopback } from '../base/loopback.ts';
import { messageOf } from '../base/thrown.ts';
import { shippedContent } from '../config/content-folders.ts';
import { type Config, ConfigError } from '../config/environment.ts';
import { loadConfig } from '../config/file.ts';
import { readSecret } from '../config/secret-key.ts';
import { loadContent } from '../content/load.ts';
import type { RateStore } from '../store/rate-store.ts';
import { describeRedis, type RedisAddress } from '../store/redis/address.ts';
import type { Invocation } from './command.ts';
import { servedFolder, withOptions } from './content-folder.ts';
import { signatureInWords, signatureWarning } from './feed-check.ts';
import { inspectFeed } from './feed-inspection.ts';
import { keptFeed } from './kept-feed.ts';
import { counted } from './terminal.ts';

export interface Finding {
  readonly check: string;
  readonly state: 'good' | 'warning' | 'fault';
  readonly message: string;
}

const leastNode = 24;

/** Throws nothing: what cannot be looked at is a finding. With faults in the settings, nothing after them is looked at. */
export async function examine(invocation: Invocation): Promise<Finding[]> {
  const findings = [node()];
  let config: Config;
  try {
    config = loadConfig(withOptions(invocation), invocation.directory);
    findings.push({ check: 'settings', state: 'good', message: 'every setting is valid' });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return [...findings, ...error.faults.map((message): Finding => ({ check: 'settings', state: 'fault', message }))];
  }
  findings.push(baseUrl(config), await portOf('port', config.host, config.port, 'PORT'));
  if (config.admin !== null) findings.push(await portOf('admin', config.admin.host, config.admin.port, 'ADMIN_PORT'));
  if (config.workers > 1) findings.push(workers(config));
  if (config.redis !== null) findings.push(await sharedLimits(config.redis));
  const storage = config.databaseUrl === null ? await dataFolder(config) : await database(config.databaseUrl, config);
  const kept = storage.state === 'fault' ? null : keptFeed(config);
  findings.push(storage, await secret(config), ...(await contentAndFeed(servedFolder(invocation, config), kept)));
  return findings;
}

function node(): Finding {
  const { version, versions } = process;
  const isOld = Number(versions.node.split('.')[0]) < leastNode;
  return {
    check: 'node',
    state: isOld ? 'fault' : 'good',
    message: `Node ${version}${isOld ? `; ${leastNode} or later is required` : ''}`,
  };
}

function workers({ workers: count }: Config): Finding {
  const processors = availableParallelism();
  return count > processors
    ? {
        check: 'workers',
        state: 'warning',
        message: `WEB_CONCURRENCY is ${count}, but there are only ${processors} processors: more workers do not make it faster`,
      }
    : { check: 'workers', state: 'good', message: `${count} of ${processors} processors` };
}

function baseUrl({ baseUrl: origin, host }: Config): Finding {
  if (origin === null) {
    return isLoopback(host)
      ? { check: 'base url', state: 'good', message: 'not set; only this machine can reach the server' }
      : {
          check: 'base url',
          state: 'warning',
          message: `not set, and HOST is ${host}: set BASE_URL to the public origin`,
        };
  }
  const url = new URL(origin);
  return url.protocol === 'http:' && !isLoopback(url.hostname)
    ? { check: 'base url', state: 'warning', message: `${origin} is not https: tokens are sent unencrypted` }
    : { check: 'base url', state: 'good', message: origin };
}

/** Listens for a moment. */
async function portOf(check: string, host: string, port: number, setting: string): Promise<Finding> {
  if (port === 0) return { check, state: 'good', message: 'a free port will be used' };
  const server = createServer();
  try {
    server.listen(port, host);
    await once(server, 'listening');
    return { check, state: 'good', message: `${host}:${port} is free` };
  } catch (error) {
    return {
      check,
      state: 'fault',
      message: `${host}:${port} is not available (${messageOf(error)}): stop the program that uses it, or set ${setting}`,
    };
  } finally {
    server.close();
  }
}

/** Counts once, as a request does. A server starts without it, and then each process counts for itself. */
async function sharedLimits(address: RedisAddress): Promise<Finding> {
  const check = 'limits';
  const where = describeRedis(address);
  const { openRedisRates } = await import('../store/redis/rates.ts');
  const advice: string[] = [];
  const log: Log = { ...silentLog, warn: (_, message) => void advice.push(message) };
  let store: RateStore | null = null;
  try {
    store = await openRedisRates({ address, log });
    await store.take([{ key: 'doctor', limit: 1_000_000, windowMs: 60_000, count: true }]);
    const [problem] = advice;
    if (problem !== undefined) return { check, state: 'warning', message: problem };
    return { check, state: 'good', message: `${where}, counts the rate limits` };
  } catch (error) {
    const message = `${where}, does not count (${messageOf(error)}): start it, or correct REDIS_URL; until then each process counts for itself`;
    return { check, state: 'warning', message };
  } finally {
    await store?.close();
  }
}

async function database(url: string, config: Config): Promise<Finding> {
  const check = 'database';
  const { inspectPostgres } = await import('../store/postgres/upkeep.ts');
  // A key that cannot be read is a separate finding.
  const key = await readSecret(config).catch(() => null);
  try {
    const { name, serverVersion, pending, hasOtherKey } = await inspectPostgres(url, key);
    if (hasOtherKey) {
      const message = `${name}, was used last by a server with another SECRET_KEY: give all of them the same one`;
      return { check, state: 'warning', message };
    }
    const schema = pending === 0 ? 'its schema is up to date' : 'the next start makes its tables';
    return { check, state: 'good', message: `${name} responds; version ${serverVersion}, ${schema}` };
  } catch (error) {
    return { check, state: 'fault', message: messageOf(error) };
  }
}

async function dataFolder({ dataDir }: Config): Promise<Finding> {
  const check = 'data';
  try {
    const nearest = await nearestFolder(dataDir);
    await access(nearest, constants.W_OK);
    await rm(await mkdtemp(join(nearest, '.colophon-doctor-')), { recursive: true });
    if (nearest !== dataDir) return { check, state: 'good', message: `${dataDir} will be made` };
    return (await isOpen(dataDir))
      ? { check, state: 'warning', message: `${dataDir} is open to other users: chmod 700 ${dataDir}` }
      : { check, state: 'good', message: `${dataDir} is writable` };
  } catch (error) {
    return {
      check,
      state: 'fault',
      message: `${dataDir} is not writable (${messageOf(error)}): give this user permission, or set DATA_DIR`,
    };
  }
}

/** The folder itself, or the first above it that is there. */
async function nearestFolder(path: string): Promise<string> {
  const found = await stat(path).catch(() => null);
  if (found?.isDirectory()) return path;
  if (found !== null) throw new Error('it is a file');
  return nearestFolder(dirname(path));
}

/** Windows has no such modes. */
const isOpen = async (path: string): Promise<boolean> =>
  process.platform !== 'win32' && ((await stat(path)).mode & 0o077) !== 0;

async function secret({ secretKey, secretKeyFile, dataDir }: Config): Promise<Finding> {
  const check = 'secret';
  if (secretKey !== null) return { check, state: 'good', message: 'SECRET_KEY is set' };
  const file = secretKeyFile ?? join(dataDir, 'secret-key');
  const found = await stat(file).catch(() => null);
  if (found !== null) {
    return (await isOpen(file))
      ? { check, state: 'warning', message: `other users can read ${file}: run chmod 600 ${file}` }
      : { check, state: 'good', message: `${file} exists` };
  }
  return secretKeyFile === null
    ? { check, state: 'good', message: `${file} will be generated at the first start; back it up` }
    : { check, state: 'fault', message: `${file} does not exist: create it with: openssl rand -hex 32 > ${file}` };
}

/** `kept`: where the last good copy of the feed is; null when that cannot be read. */
async function contentAndFeed(served: string | null, kept: ReturnType<typeof keptFeed> | null): Promise<Finding[]> {
  const directory = served ?? shippedContent;
  const loaded = await loadContent(directory);
  if ('faults' in loaded) {
    const message = `${directory} has ${counted(loaded.faults.length, 'error')}: colophon check ${directory}`;
    return [{ check: 'content', state: 'fault', message }];
  }
  const { product, pages } = loaded.content;
  const content: Finding = {
    check: 'content',
    state: 'good',
    message: `${served === null ? 'the example product, ' : ''}${product.name}, ${counted(pages.length, 'page')}`,
  };
  const inspection = await inspectFeed(loaded.content, kept);
  if (inspection.kind !== 'good') {
    // A server starts without its feed, and returns 503 where the feed is needed.
    return [content, { check: 'feed', state: 'warning', message: inspection.problem }];
  }
  const { snapshot, stepBack } = inspection;
  if (stepBack !== null) return [content, { check: 'feed', state: 'warning', message: stepBack }];
  const state = signatureWarning(loaded.content, snapshot) === null ? 'good' : 'warning';
  const message = `${counted(snapshot.releases.length, 'release')}; feed signature: ${signatureInWords(snapshot)}`;
  return [content, { check: 'feed', state, message }];
}
