/** Two workers beside one, on PostgreSQL: what a request costs, all processes counted. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { startPostgres } from '../test/support/postgres.ts';
import { figureHeads, figuresOf, ratioOf } from './figures.ts';
import { bothCores, processesOf, type Started, startFlags, startPinned, stop } from './process.ts';
import { fixed, table } from './table.ts';
import { type Contestant, type Pace, type Results, takeTurns } from './turns.ts';

const nameOf = (workers: number): string => (workers === 1 ? 'one process' : `${workers} workers`);

/** A table in Markdown. Servers and load share both cores, so that only the processor time is to be compared. */
export async function measureWorkers(pace: Pace): Promise<string> {
  const postgres = await startPostgres();
  if (typeof postgres === 'string') return `Not run: ${postgres}.`;
  const directory = await mkdtemp(join(tmpdir(), 'colophon-bench-'));
  const running: Started[] = [];
  try {
    const contestants: Contestant[] = [];
    for (const workers of [1, 2]) {
      const server = await startWorkers(workers, await postgres.createDatabase(), join(directory, String(workers)));
      running.push(server);
      if (workers > 1 && processesOf(server.pid).length <= workers) throw new Error('The server started no workers.');
      const target = { url: `${server.said}/api/v1/releases/latest`, headers: {}, pid: server.pid };
      contestants.push({ name: nameOf(workers), target, forget: server.forget });
    }
    // Each of two workers has to warm up.
    return report(await takeTurns(contestants, { ...pace, warmUp: 2 * pace.warmUp }, { cores: bothCores }));
  } finally {
    await Promise.all(running.map(stop));
    await postgres.close();
    await rm(directory, { recursive: true, force: true });
  }
}

function startWorkers(workers: number, database: string, dataDir: string): Promise<Started> {
  const most = '1000000';
  const env = {
    WEB_CONCURRENCY: String(workers),
    DATABASE_URL: database,
    SECRET_KEY: 'of-the-benchmark-alone-'.repeat(2),
    DATA_DIR: dataDir,
    PORT: '0',
    HOST: '127.0.0.1',
    ADMIN_PORT: '0',
    RATE_LIMIT_ANONYMOUS: most,
    RATE_LIMIT_ADDRESS: most,
  };
  const command = [process.execPath, ...startFlags, resolve(import.meta.dirname, '../bin/colophon.js'), 'serve'];
  return startPinned(command, /serves .* at (http\S+)/, env, { cores: bothCores });
}

function report(results: Results): string {
  const rows = [...results.keys()].map((name) => {
    return [name, ...figuresOf(results, name).slice(0, -1), fixed(ratioOf(results, 'cpu', name, nameOf(1)), 2)];
  });
  const heads = ['GET latest', ...figureHeads.slice(0, -1)];
  return table([...heads, 'times one process'], rows);
}
