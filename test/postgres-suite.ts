/** Runs the test files that start a test server once more, against two servers that share a PostgreSQL database. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runSuite } from './runner.ts';
import { createPostgres } from './support/postgres.ts';

/** Test files that start a server and are not run on PostgreSQL, each with its reason. */
const excludedFiles: Readonly<Record<string, string>> = {
  'endpoints/batch-turns.test.ts':
    'compares when one process answers two requests, without the time that a database takes',
  'cli/cli.test.ts': 'runs the command, most of it on SQLite',
  'cli/postgres.test.ts': 'names its own database',
  'endpoints/operator/operator.test.ts': 'watches the admin listener and the log of one process',
  'http/fast-path.test.ts': 'compares two answers of one process',
  'http/response-batch.test.ts': 'sends one process more requests at once than two on a slow machine count in time',
  'http/gate.test.ts': 'reads counts that each process keeps for itself',
  'http/load.test.ts': 'overloads one process',
  'limits/postgres.test.ts': 'names its own database',
  'limits/shared-limits.test.ts': 'starts its own processes',
  'operations-docs.test.ts': 'reads the numbers of one process',
  'package.test.ts': 'compares the package with the repository, one process each',
  'readme.test.ts': 'follows the README, which begins with SQLite',
  'server/clock-jumps.test.ts': 'moves the wall clock, by which limits in PostgreSQL are counted',
  'server/ending.test.ts': 'watches how one process ends',
  'server/two-servers.test.ts': 'starts two servers that share nothing',
  'store/full-disk.test.ts': 'fills the disk of SQLite, and starts PostgreSQL where it needs it',
  'store/faults.test.ts': 'breaks the store of one process',
};

const folder = import.meta.dirname;
const serverTests = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .map((name) => name.replaceAll('\\', '/'))
  .filter((name) => name.endsWith('.test.ts') && !/^(faults|interop)\//.test(name))
  .filter((name) => readFileSync(join(folder, name), 'utf8').includes('startTestServer'))
  .filter((name) => !(name in excludedFiles))
  .sort();

const requestedFiles = process.argv.slice(2);
const unknownFiles = requestedFiles.filter((name) => !serverTests.includes(name));
if (unknownFiles.length > 0) {
  process.stderr.write(`Not part of this suite: ${unknownFiles.join(', ')}\n`);
  process.exit(1);
}
const postgres = createPostgres();
if (typeof postgres === 'string') process.stdout.write(`not run: PostgreSQL: ${postgres}\n`);
else {
  const passed = await runSuite({
    files: serverTests
      .filter((name) => requestedFiles.length === 0 || requestedFiles.includes(name))
      .map((name) => `test/${name}`),
    processes: 2,
    testTimeoutMs: 120_000,
    env: { TEST_POSTGRES: await postgres.createDatabase() },
  });
  await postgres.close();
  process.exitCode = passed ? 0 : 1;
}
