/** Starts a real redis-server for a test, with a temporary folder that is removed afterwards. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { findFreePort } from '../../support/free-port.ts';

/** A running Redis. */
export interface TestRedis {
  /** `redis://127.0.0.1:PORT`, for the database 0. */
  readonly url: string;
  /** `unix://PATH?db=1`, the URL of the Unix socket, for the database 1. */
  readonly socketUrl: string;
  /**
   * Sends one command, such as `FLUSHALL`, to the database 0 and returns its reply, which is null for nil. Rejects if the reply is
   * an error or none comes.
   */
  command(name: string, ...words: (string | number)[]): Promise<unknown>;
  /** Ends Redis, and waits until its process has exited. */
  shutdown(): Promise<void>;
  /**
   * Starts it again at the same port, after shutdown(), with nothing of its data left, and waits until it answers. Rejects if it
   * does not.
   */
  restart(): Promise<void>;
  /** Ends it if it still runs, and removes its folder. */
  close(): Promise<void>;
}

const program = 'redis-server';

/** Why Redis cannot run here, or null if it can. */
export const redisSkipReason = spawnSync(program, ['--version']).status === 0 ? null : `${program} is not installed`;

/** Starts an empty Redis that writes no data to disk. Throws if it does not answer. The caller checks `redisSkipReason` before. */
export async function startRedis(): Promise<TestRedis> {
  const directory = await mkdtemp(join(tmpdir(), 'colophon-redis-'));
  const port = await findFreePort();
  const socket = join(directory, 'redis.sock');
  const words = [
    '--port',
    String(port),
    '--bind',
    '127.0.0.1',
    '--unixsocket',
    socket,
    '--dir',
    directory,
    '--save',
    '',
  ];
  let server = spawn(program, words, { stdio: 'ignore' });
  // Redis is killed when this process exits without `close`, such as after an error; otherwise it would run on.
  const kill = (): void => void server.kill('SIGKILL');
  process.once('exit', kill);

  const command = async (name: string, ...args: (string | number)[]): Promise<unknown> => {
    const client = new Redis({ port, host: '127.0.0.1', protocol: 2, retryStrategy: () => null, lazyConnect: true });
    client.on('error', () => {});
    try {
      await client.connect();
      return await client.call(name, ...args);
    } finally {
      client.disconnect();
    }
  };
  const waitUntilReady = async (): Promise<void> => {
    for (let attempt = 0; attempt < 200; attempt += 1) {
      if ((await command('PING').catch(() => null)) === 'PONG') return;
      await sleep(50);
    }
    throw new Error('redis-server does not answer');
  };
  await waitUntilReady();
  return {
    url: `redis://127.0.0.1:${port}`,
    socketUrl: `unix://${socket}?db=1`,
    command,
    async shutdown() {
      const ended = once(server, 'exit');
      await command('SHUTDOWN', 'NOSAVE').catch(() => {});
      await ended;
    },
    async restart() {
      server = spawn(program, words, { stdio: 'ignore' });
      await waitUntilReady();
    },
    async close() {
      process.off('exit', kill);
      await end(server);
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function end(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  server.kill('SIGKILL');
  await once(server, 'exit');
}
