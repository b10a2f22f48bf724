/**
 * Two workers compared with one, on PostgreSQL, and two processes of bare node:http with one: what a request costs, all
 * processes counted.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { startPostgres } from '../test/support/postgres.ts';
import { capture } from './capture.ts';
import { figureHeads, figuresOf, ratioOf } from './figures.ts';
import { atMost, type Measured } from './goals.ts';
import { bothCores, freePort, processesOf, type Started, startFlags, startPinned, stop } from './process.ts';
import { fixed, table } from './table.ts';
import { type Contestant, type Pace, type Results, takeTurns } from './turns.ts';

const nameOf = (server: string, workers: number): string =>
  `${server}, ${workers === 1 ? 'one process' : `${workers} processes`}`;
const ours = 'Colophon';
const bare = 'node:http';
const path = '/api/v1/releases/latest';

/** A table. Servers and load share both cores, so that only the processor time is to be compared. */
export async function measureWorkers(pace: Pace): Promise<string | Measured> {
  const postgres = await startPostgres();
  if (typeof postgres === 'string') return `Not run: ${postgres}.`;
  const directory = await mkdtemp(join(tmpdir(), 'colophon-bench-'));
  const running: Started[] = [];
  try {
    const contestants: Contestant[] = [];
    for (const workers of [1, 2]) {
      const server = await startWorkers(workers, await postgres.createDatabase(), join(directory, String(workers)));
      running.push(server);
      const target = { url: server.said + path, headers: {}, pid: server.pid };
      contestants.push({ name: nameOf(ours, workers), target, forget: server.forget });
    }
    const answers = join(directory, 'answers.json');
    await writeFile(answers, JSON.stringify([await capture(contestants[0]?.target.url ?? '', {})]));
    for (const workers of [1, 2]) {
      const server = await startBare(workers, answers);
      running.push(server);
      const target = { url: `${server.said}/0`, headers: {}, pid: server.pid };
      contestants.push({ name: nameOf(bare, workers), target, forget: server.forget });
    }
    for (const [at, { pid }] of running.entries()) {
      if (at % 2 === 1 && processesOf(pid).length < 3) throw new Error('A server started no workers.');
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
  return startPinned(command, /serves .* at (http[^\s"]+)/, env, { cores: bothCores });
}

async function startBare(workers: number, answers: string): Promise<Started> {
  const script = join(import.meta.dirname, 'contestants/bare.js');
  const port = workers === 1 ? 0 : await freePort();
  const words = [script, answers, String(workers), String(port)];
  return startPinned([process.execPath, ...words], /listening on (\S+)/, {}, { cores: bothCores });
}

function report(results: Results): Measured {
  const rows = [ours, bare].flatMap((server) =>
    [1, 2].map((workers) => {
      const name = nameOf(server, workers);
      const times = fixed(ratioOf(results, 'cpu', name, nameOf(server, 1)), 2);
      return [name, ...figuresOf(results, name).slice(0, -1), times];
    }),
  );
  const heads = ['GET latest', ...figureHeads.slice(0, -1)];
  const text = table([...heads, 'times one process'], rows);
  const times = ratioOf(results, 'cpu', nameOf(ours, 2), nameOf(ours, 1));
  return { text, goals: [atMost('Two workers: CPU per request, times one', times, 1.1)] };
}
