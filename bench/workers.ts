/** Compares two server processes with one, on PostgreSQL, by the processor time per request of all processes of the server. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createPostgres } from '../test/support/postgres.ts';
import { measurePaced } from './paced.ts';
import { bothCores, listProcesses, type RunningProcess, startFlags, startPinned, stopProcess } from './process.ts';
import { formatNumber, formatTable } from './table.ts';
import { type Contestant, computeMedian, computeRatio, figureHeads, formatFigures, takeTurns } from './turns.ts';

/** Number of connections in the comparison in which the load takes all of the processor. */
const connections = 8;
/** Requests a second that each process gets in the comparison at equal load, and the number of rounds of that comparison. */
const pacedRate = 800;
const pacedRounds = 5;

const formatProcessCount = (count: number): string => (count === 1 ? 'one process' : `${count} processes`);

/**
 * Returns two Markdown tables, or a sentence with the reason if PostgreSQL cannot run. Their reader checks what is required: at
 * equal load, two processes take at most 1.2 times the CPU per request of one. With all of the processor taken, two processes
 * compete with each other, the database and the load for two cores; at equal load each process gets as many requests as the single
 * one.
 */
export async function measureWorkers(): Promise<string> {
  const postgres = createPostgres();
  if (typeof postgres === 'string') return `Not run: ${postgres}.`;
  const directory = await mkdtemp(join(tmpdir(), 'colophon-bench-'));
  const servers: RunningProcess[] = [];
  try {
    const contestants: (Contestant & { readonly count: number })[] = [];
    for (const count of [1, 2]) {
      const server = await startServer(count, await postgres.createDatabase(), join(directory, String(count)));
      servers.push(server);
      while (count > 1 && listProcesses(server.pid).length < count + 1) await pause(100);
      const target = { url: `${server.readyText}/api/v1/releases/latest`, headers: {}, pid: server.pid };
      // After its circuit breaker opened, a process counts requests in its own memory, which costs less than the database.
      const isValid = () => !server.hasPrinted('limits.local');
      contestants.push({ name: formatProcessCount(count), count, target, isValid, clearOutput: server.clearOutput });
    }
    const results = await takeTurns(contestants, { cores: bothCores, connections });
    const rows = contestants.map(({ name }) => [
      name,
      ...formatFigures(results, name),
      formatNumber(computeRatio(results, 'cpu', name, formatProcessCount(1)), 2),
    ]);
    const times = 'times the CPU of one process';
    const saturated = formatTable([`GET latest, ${connections} connections`, ...figureHeads, times], rows);
    const paced = await measureAtEqualLoad(contestants);
    return `${saturated}\n\n${formatTable(['GET latest, at equal load', 'CPU µs/request', times], paced)}`;
  } finally {
    await Promise.all(servers.map(stopProcess));
    await postgres.close();
    await rm(directory, { recursive: true, force: true });
  }
}

/**
 * Returns a row of texts for each contestant, with medians of alternating rounds: its name with its requests per second, which are
 * 800 for each of its `count` processes, the microseconds of processor time per request, and how many times the first contestant's
 * that is. Rejects if a round is not valid or a request fails.
 */
async function measureAtEqualLoad(
  contestants: readonly (Contestant & { readonly count: number })[],
): Promise<string[][]> {
  const figures = contestants.map((): number[] => []);
  for (let round = 0; round < pacedRounds; round += 1) {
    for (const [index, { target, count, isValid = () => true, clearOutput, name }] of contestants.entries()) {
      figures[index]?.push(await measurePaced(target, pacedRate * count));
      if (!isValid()) throw new Error(`${name}: the circuit breaker of the rate limits opened. Repeat the run.`);
      clearOutput?.();
    }
  }
  const medians = figures.map(computeMedian);
  return contestants.map(({ name, count }, index) => [
    `${name}, ${pacedRate * count} requests/s`,
    formatNumber(medians[index] ?? 0, 1),
    formatNumber((medians[index] ?? 0) / (medians[0] ?? 1), 2),
  ]);
}

function startServer(count: number, database: string, dataDir: string): Promise<RunningProcess> {
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
