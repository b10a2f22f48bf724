/** `npm test [-- PATH…]`: runs every test file but those that take long, or those whose paths begin with one of the given ones. */
import { globSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { runSuite } from './runner.ts';

const starts = process.argv.slice(2);
const files = globSync('test/**/*.test.ts', { cwd: resolve(import.meta.dirname, '..') })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => !/^test\/(faults|interop)\//.test(file))
  .filter((file) => starts.length === 0 || starts.some((start) => file.startsWith(start)));
// One process more than there are processors: a file waits for databases, child processes and time about a fifth of its run.
const passed = await runSuite({ files, processes: Math.min(3, availableParallelism() + 1), testTimeoutMs: 120_000 });
process.exitCode = passed ? 0 : 1;
