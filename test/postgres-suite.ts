/** Runs the tests that speak HTTP once more, against two processes on one PostgreSQL; then the races between two processes. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startPostgres } from './support/postgres.ts';

/** Tests that start a server and are not run again, each with its reason. */
const left: Readonly<Record<string, string>> = {
  'cli-postgres': 'names its own database',
  'clock-jumps': 'moves the clock of limits, which PostgreSQL counts by its own',
  'cli.test': 'runs the command, most of it on SQLite',
  'ending.test': 'watches how one process ends',
  'fast-path': 'compares two answers of one process',
  'load.test': 'overloads one process',
  'operations-docs': 'reads the numbers of one process',
  'operations.test': 'watches the admin listener and the log of one process',
  'rates-postgres': 'names its own database',
  'readme.test': 'follows the README, which begins with SQLite',
  'shared-limits': 'starts its own processes',
  'store-faults': 'breaks the store of one process',
  'two-servers': 'starts two servers that share nothing',
};

const folder = import.meta.dirname;
const speakHttp = readdirSync(folder)
  .filter((name) => name.endsWith('.test.ts'))
  .filter((name) => readFileSync(join(folder, name), 'utf8').includes('startTestServer'))
  .filter((name) => !Object.keys(left).some((start) => name.startsWith(start)));

const postgres = await startPostgres();
if (typeof postgres === 'string') process.stdout.write(`not run: PostgreSQL: ${postgres}\n`);
else {
  const only = process.argv.slice(2);
  const files = speakHttp.filter((name) => only.length === 0 || only.includes(name)).map((name) => join(folder, name));
  const words = [
    '--import',
    new URL('./support/compile-cache.js', import.meta.url).href,
    '--test',
    '--test-concurrency=2',
    '--test-timeout=300000',
    ...files,
  ];
  const child = spawn(process.execPath, words, {
    stdio: 'inherit',
    env: { ...process.env, TEST_POSTGRES: await postgres.createDatabase() },
  });
  const [code] = await once(child, 'close');
  await postgres.close();
  process.exitCode = code === 0 ? 0 : 1;
}
