/** `npm run test:faults [-- --short] [NAME…]`: runs the test files in this folder, or those whose names begin with a NAME. */
import { globSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { runSuite } from '../runner.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { short: { type: 'boolean', default: false } },
});
const files = globSync('*.test.ts', { cwd: import.meta.dirname })
  .filter((file) => positionals.length === 0 || positionals.some((start) => file.startsWith(start)))
  .map((file) => `test/faults/${file}`);
const passed = await runSuite({
  files,
  // The tests measure times or use every processor, so they run one at a time.
  processes: 1,
  env: values.short ? { FAULTS_SHORT: '1' } : {},
  testTimeoutMs: 3_600_000,
});
process.exitCode = passed ? 0 : 1;
