/** Runs the tests that speak HTTP once more, against two processes on one PostgreSQL; then the races between two processes. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runSuite } from './runner.ts';
import { createPostgres } from './support/postgres.ts';

/** Tests that start a server and are not run again, each with its reason. */
const left: Readonly<Record<string, string>> = {
  'endpoints/batch-turns.test.ts':
    'compares when one process answers two requests, without the time that a database takes',
  'cli/cli.test.ts': 'runs the command, most of it on SQLite',
  'cli/postgres.test.ts': 'names its own database',
  'endpoints/operator/operator.test.ts': 'watches the admin listener and the log of one process',
  'http/fast-path.test.ts': 'compares two answers of one process',
  'http/response-batch.test.ts': 'asks one process for more at once than two on a slow machine count together in time',
  'http/gate.test.ts': 'asks one process what it counts for itself',
  'http/load.test.ts': 'overloads one process',
  'limits/postgres.test.ts': 'names its own database',
  'limits/shared-limits.test.ts': 'starts its own processes',
  'operations-docs.test.ts': 'reads the numbers of one process',
  'package.test.ts': 'compares the package with the repository, one process each',
  'readme.test.ts': 'follows the README, which begins with SQLite',
  'server/clock-jumps.test.ts': 'moves the clock of limits, which PostgreSQL counts by its own',
  'server/ending.test.ts': 'watches how one process ends',
  'server/two-servers.test.ts': 'starts two servers that share nothing',
  'store/full-disk.test.ts': 'fills the disk of SQLite, and starts PostgreSQL where it needs it',
  'store/faults.test.ts': 'breaks the store of one process',
};

const folder = import.meta.dirname;
const speakHttp = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .map((name) => name.replaceAll('\\', '/'))
  .filter((name) => name.endsWith('.test.ts') && !/^(faults|interop)\//.test(name))
  .filter((name) => readFileSync(join(folder, name), 'utf8').includes('startTestServer'))
  .filter((name) => !(name in left))
  .sort();

const only = process.argv.slice(2);
const unknown = only.filter((name) => !speakHttp.includes(name));
if (unknown.length > 0) {
  process.stderr.write(`Not part of this suite: ${unknown.join(', ')}\n`);
  process.exit(1);
}
const postgres = createPostgres();
if (typeof postgres === 'string') process.stdout.write(`not run: PostgreSQL: ${postgres}\n`);
else {
  const passed = await runSuite({
    files: speakHttp.filter((name) => only.length === 0 || only.includes(name)).map((name) => `test/${name}`),
    processes: 2,
    testTimeoutMs: 120_000,
    env: { TEST_POSTGRES: await postgres.createDatabase() },
  });
  await postgres.close();
  process.exitCode = passed ? 0 : 1;
}
