/** Two server processes next to one, on PostgreSQL: the processor time of a request, all processes of the server counted. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createPostgres } from '../test/support/postgres.ts';
import { bothCores, processesOf, type Started, startFlags, startPinned, stop } from './process.ts';
import { fixed, table } from './table.ts';
import { type Contestant, figureHeads, figuresOf, ratioOf, takeTurns } from './turns.ts';

/**
 * Connections of the load. With many, requests wait more than 100 ms for the counters of their one address, the process counts
 * by itself from then on, which costs a fifth, and the round compares two different ways of counting.
 */
const connections = 8;

const nameOf = (count: number): string => (count === 1 ? 'one process' : `${count} processes`);

/** Returns a table; must hold: two processes take at most 1.2 times the CPU per request of one. Servers and load share both cores. */
export async function measureWorkers(): Promise<string> {
  const postgres = createPostgres();
  if (typeof postgres === 'string') return `Not run: ${postgres}.`;
  const directory = await mkdtemp(join(tmpdir(), 'colophon-bench-'));
  const running: Started[] = [];
  try {
    const contestants: Contestant[] = [];
    for (const count of [1, 2]) {
      const server = await start(count, await postgres.createDatabase(), join(directory, String(count)));
      running.push(server);
      while (count > 1 && processesOf(server.pid).length < count + 1) await pause(100);
      const target = { url: `${server.said}/api/v1/releases/latest`, headers: {}, pid: server.pid };
      contestants.push({ name: nameOf(count), target, forget: server.forget });
    }
    const results = await takeTurns(contestants, { cores: bothCores, connections });
    const rows = contestants.map(({ name }) => [
      name,
      ...figuresOf(results, name),
      fixed(ratioOf(results, 'cpu', name, nameOf(1)), 2),
    ]);
    return table(['GET latest', ...figureHeads, 'times the CPU of one process'], rows);
  } finally {
    await Promise.all(running.map(stop));
    await postgres.close();
    await rm(directory, { recursive: true, force: true });
  }
}

function start(count: number, database: string, dataDir: string): Promise<Started> {
  const env = {
    WEB_CONCURRENCY: String(count),
    DATABASE_URL: database,
    SECRET_KEY: 'secret-of-the-benchmark-'.repeat(2),
    DATA_DIR: dataDir,
    PORT: '0',
    HOST: '127.0.0.1',
    ADMIN_PORT: '0',
    RATE_LIMIT_ANONYMOUS: '1000000',
    RATE_LIMIT_ADDRESS: '1000000',
  };
  const command = [process.execPath, ...startFlags, resolve(import.meta.dirname, '../bin/colophon.js'), 'serve'];
  return startPinned(command, /serves .* at (http[^\s"]+)/, env, { cores: bothCores });
}
