/** Starts two servers on one new database, which answer requests in turn: each must read what the other has stored. */
import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import type { RunningServer } from '../../src/server/options.ts';
import type { ManualClock } from './manual-clock.ts';
import type { SecondServerOptions } from './second-server.ts';
import { sendRequest, startOneServer, type TestServer, type TestServerOptions } from './server.ts';

type SecondServer = Pick<RunningServer, 'listenUrl' | 'checkFeed' | 'close'>;

/**
 * Starts two servers, which answer in turn and share one new database of `cluster`, the URL of a database whose user may create
 * others. A data folder that is given again gets its earlier database.
 */
export async function startTwoServers(options: TestServerOptions, cluster: string): Promise<TestServer> {
  const logLines: Record<string, unknown>[] = [];
  const env = { ...(await getDatabaseSettings(options, cluster)), ...options.env };
  const first = await startOneServer({ ...options, env }, logLines);
  const { dataDir: _, ...sharedOptions } = options;
  const secondOptions = { ...sharedOptions, env: { ...env, BASE_URL: first.baseUrl, ADMIN_PORT: 'off' } };
  // A clock or store of the test works only in this process, so with one of them the second server runs here, too.
  const isSameProcess = [options.clock, options.wrapStore].some((part) => part !== undefined);
  let second: SecondServer;
  try {
    second = isSameProcess
      ? await startOneServer(secondOptions, logLines)
      : await startInChild(secondOptions, logLines);
  } catch (error) {
    await first.close();
    throw error;
  }
  let requestCount = 0;
  const getNextUrl = (): string => {
    requestCount += 1;
    return (requestCount % 2 === 1 ? first : second).listenUrl;
  };
  const closeBoth = async (): Promise<void> => {
    const bothClosed = Promise.all([first.close(), second.close()]).then(() => true);
    // A closing server looks for idle connections every 50 ms of its clock, so a manual clock must advance until both have closed.
    while (!(await Promise.race([bothClosed, sleep(50, false)]))) await advanceClock(options.clock);
  };
  let closePromise: Promise<void> | null = null;
  const close = (): Promise<void> => {
    closePromise ??= closeBoth();
    return closePromise;
  };
  return {
    ...first,
    firstServer: { ...first, close },
    get listenUrl() {
      return getNextUrl();
    },
    request: (path, init) => sendRequest(getNextUrl(), path, init),
    async checkFeed() {
      const outcomes = [await first.checkFeed(), await second.checkFeed()];
      // If the second server is the leader, the first looked for a new copy before the second had fetched it, so the first looks again.
      if (outcomes[0] === 'unchanged') await first.checkFeed();
      return outcomes.find((outcome) => outcome !== 'unchanged') ?? 'unchanged';
    },
    close,
  };
}

async function advanceClock(clock: Partial<ManualClock> | undefined): Promise<void> {
  await clock?.advance?.(50);
}

/** The settings of each data folder: servers that start again in a folder get its database, as one server gets its database file. */
const settingsByFolder = new Map<string, Record<string, string>>();

async function getDatabaseSettings(
  { dataDir, env = {} }: TestServerOptions,
  cluster: string,
): Promise<Record<string, string>> {
  const existingSettings = dataDir === undefined ? undefined : settingsByFolder.get(dataDir);
  if (existingSettings !== undefined) return existingSettings;
  const url = new URL(cluster);
  const name = `test_${randomBytes(8).toString('hex')}`;
  const client = new Client({ connectionString: cluster });
  await client.connect();
  await client.query(`CREATE DATABASE ${name}`);
  await client.end();
  url.pathname = `/${name}`;
  const secret = env.SECRET_KEY_FILE === undefined ? { SECRET_KEY: randomBytes(24).toString('hex') } : {};
  const settings = { DATABASE_URL: url.href, ...secret };
  if (dataDir !== undefined) settingsByFolder.set(dataDir, settings);
  return settings;
}

/** The process of a second server that was closed: the next one starts in it, with the program loaded and compiled. */
let idleChild: ChildProcess | null = null;

function getChild(): ChildProcess {
  const child = idleChild?.connected ? idleChild : null;
  idleChild = null;
  return child ?? fork(resolve(import.meta.dirname, 'second-server.ts'), { serialization: 'advanced' });
}

async function startInChild(options: TestServerOptions, logLines: Record<string, unknown>[]): Promise<SecondServer> {
  const { env = {}, versions, drainMs, timeouts, loadBounds } = options;
  const secondOptions: SecondServerOptions = { env, versions, drainMs, timeouts, loadBounds };
  const child = getChild();
  const collectLine = (message: { line?: Record<string, unknown> }): void => {
    if (message.line !== undefined) logLines.push(message.line);
  };
  child.on('message', collectLine);
  // Without references, a second server that a failed test did not close does not keep the process of the test running.
  child.unref();
  child.channel?.unref();
  child.send(secondOptions);
  const { listenUrl } = await waitForMessage<{ listenUrl: string }>(child, 'listenUrl');
  const sendCommand = <T extends object>(command: string, key: string): Promise<T> => {
    const reply = waitForMessage<T>(child, key);
    child.send(command);
    return reply;
  };
  return {
    listenUrl,
    checkFeed: async () =>
      (await sendCommand<{ outcome: Awaited<ReturnType<SecondServer['checkFeed']>> }>('check', 'outcome')).outcome,
    async close() {
      if (!child.connected) return;
      await sendCommand('close', 'closed');
      child.off('message', collectLine);
      if (idleChild?.connected) child.disconnect();
      else idleChild = child;
    },
  };
}

/** Returns the next message of a child process that has a field of this name. Rejects if the child ends before. */
function waitForMessage<T extends object>(child: ChildProcess, key: string): Promise<T> {
  child.ref();
  child.channel?.ref();
  return new Promise<T>((fulfil, reject) => {
    const checkMessage = (message: T): void => {
      if (!(key in message)) return;
      finish();
      fulfil(message);
    };
    const fail = (code: number | null): void => {
      finish();
      reject(new Error(`the second server ended with ${code}`));
    };
    const finish = (): void => {
      child.off('message', checkMessage);
      child.off('exit', fail);
      child.unref();
      child.channel?.unref();
    };
    child.on('message', checkMessage);
    child.on('exit', fail);
  });
}
