/** Two servers on one fresh database, which answer in turn: what one of them was told, the other has to know. */
import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import type { RunningServer } from '../../src/server/options.ts';
import type { ManualClock } from './manual-clock.ts';
import type { SecondOptions } from './second-server.ts';
import { ask, startOneServer, type TestServer, type TestServerOptions } from './server.ts';

type Second = Pick<RunningServer, 'listenUrl' | 'checkFeed' | 'close'>;

/**
 * Starts two servers, which answer in turn and share one new database of `cluster`, the URL of a database whose user may create
 * others. A data folder that is given again gets its earlier database.
 */
export async function startTwoServers(options: TestServerOptions, cluster: string): Promise<TestServer> {
  const lines: Record<string, unknown>[] = [];
  const env = { ...(await fetchPlace(options, cluster)), ...options.env };
  const first = await startOneServer({ ...options, env }, lines);
  const { dataDir: _, ...others } = options;
  const like = { ...others, env: { ...env, BASE_URL: first.baseUrl, ADMIN_PORT: 'off' } };
  // A clock or a store that the test moves has to move for both: then the second runs in this process, too.
  const inHere = [options.clock, options.wrapStore].some((part) => part !== undefined);
  let second: Second;
  try {
    second = inHere ? await startOneServer(like, lines) : await startInChild(like, lines);
  } catch (error) {
    await first.close();
    throw error;
  }
  let turn = 0;
  const next = (): string => {
    turn += 1;
    return (turn % 2 === 1 ? first : second).listenUrl;
  };
  const closeBoth = async (): Promise<void> => {
    const closed = Promise.all([first.close(), second.close()]).then(() => true);
    // A connection that is idle a moment too late is looked for again by the clock, which stands still.
    while (!(await Promise.race([closed, sleep(50, false)]))) await tick(options.clock);
  };
  let closing: Promise<void> | null = null;
  const close = (): Promise<void> => {
    closing ??= closeBoth();
    return closing;
  };
  return {
    ...first,
    alone: { ...first, close },
    get listenUrl() {
      return next();
    },
    ask: (path, init) => ask(next(), path, init),
    async checkFeed() {
      const found = [await first.checkFeed(), await second.checkFeed()];
      // It only follows, and looked before the one that leads had fetched anything.
      if (found[0] === 'unchanged') await first.checkFeed();
      return found.find((outcome) => outcome !== 'unchanged') ?? 'unchanged';
    },
    close,
  };
}

async function tick(clock: Partial<ManualClock> | undefined): Promise<void> {
  await clock?.advance?.(50);
}

/** The databases by data folder: a server that starts again in a folder finds its database, as it would find its file. */
const places = new Map<string, Record<string, string>>();

async function fetchPlace({ dataDir, env = {} }: TestServerOptions, cluster: string): Promise<Record<string, string>> {
  const known = dataDir === undefined ? undefined : places.get(dataDir);
  if (known !== undefined) return known;
  const url = new URL(cluster);
  const name = `test_${randomBytes(8).toString('hex')}`;
  const client = new Client({ connectionString: cluster });
  await client.connect();
  await client.query(`CREATE DATABASE ${name}`);
  await client.end();
  url.pathname = `/${name}`;
  const secret = env.SECRET_KEY_FILE === undefined ? { SECRET_KEY: randomBytes(24).toString('hex') } : {};
  const place = { DATABASE_URL: url.href, ...secret };
  if (dataDir !== undefined) places.set(dataDir, place);
  return place;
}

/** The process of a second server that was closed: the next one starts in it, with the program loaded and compiled. */
let idle: ChildProcess | null = null;

function takeChild(): ChildProcess {
  const child = idle?.connected ? idle : null;
  idle = null;
  return child ?? fork(resolve(import.meta.dirname, 'second-server.ts'), { serialization: 'advanced' });
}

async function startInChild(options: TestServerOptions, lines: Record<string, unknown>[]): Promise<Second> {
  const { env = {}, versions, drainMs, timeouts, loadBounds } = options;
  const told: SecondOptions = { env, versions, drainMs, timeouts, loadBounds };
  const child = takeChild();
  const collect = (message: { line?: Record<string, unknown> }): void => {
    if (message.line !== undefined) lines.push(message.line);
  };
  child.on('message', collect);
  // A test that fails leaves it behind, and it must not hold the test's process.
  child.unref();
  child.channel?.unref();
  child.send(told);
  const { listenUrl } = await getAnswer<{ listenUrl: string }>(child, 'listenUrl');
  const order = <T extends object>(word: string, key: string): Promise<T> => {
    const answer = getAnswer<T>(child, key);
    child.send(word);
    return answer;
  };
  return {
    listenUrl,
    checkFeed: async () =>
      (await order<{ checked: Awaited<ReturnType<Second['checkFeed']>> }>('check', 'checked')).checked,
    async close() {
      if (!child.connected) return;
      await order('close', 'closed');
      child.off('message', collect);
      if (idle?.connected) child.disconnect();
      else idle = child;
    },
  };
}

/** Returns the next message of a child process that has a field of this name. Rejects if the child ends before. */
function getAnswer<T extends object>(child: ChildProcess, key: string): Promise<T> {
  child.ref();
  child.channel?.ref();
  return new Promise<T>((fulfil, reject) => {
    const look = (message: T): void => {
      if (!(key in message)) return;
      finish();
      fulfil(message);
    };
    const fail = (code: number | null): void => {
      finish();
      reject(new Error(`the second server ended with ${code}`));
    };
    const finish = (): void => {
      child.off('message', look);
      child.off('exit', fail);
      child.unref();
      child.channel?.unref();
    };
    child.on('message', look);
    child.on('exit', fail);
  });
}
