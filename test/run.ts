/** `npm test [-- PATH…]`: runs every test file but those that take long, or those whose paths begin so. */
import { globSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { runSuite } from './runner/suite.ts';

const { values, positionals } = parseArgs({ allowPositionals: true, options: { times: { type: 'boolean' } } });
const files = globSync('test/**/*.test.ts', { cwd: resolve(import.meta.dirname, '..') })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => !/^test\/(faults|interop)\//.test(file))
  .filter((file) => positionals.length === 0 || positionals.some((start) => file.startsWith(start)))
  .sort();
const { passed, times } = await runSuite({
  files,
  // One more than there are processors: a file waits for databases, child processes and time about a fifth of its run.
  processes: Math.min(3, availableParallelism() + 1),
  testTimeoutMs: 120_000,
});
if (values.times) {
  for (const { file, ms, cpuMs } of [...times].sort((a, b) => b.ms - a.ms)) {
    console.log(
      `${(ms / 1000).toFixed(1).padStart(6)} s ${(cpuMs / 1000).toFixed(1).padStart(6)} s of processor  ${file}`,
    );
  }
}
process.exitCode = passed ? 0 : 1;
