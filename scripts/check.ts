/** `npm run check`: everything that must hold before a commit, apart from the tests. It stops at the first step that fails. */
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');
const createRedoclyArgs = (...args: string[]): string[] => [
  'node_modules/@redocly/cli/bin/cli.js',
  ...args,
  '--config',
  'contract/redocly.yaml',
];

const format = ['node_modules/@biomejs/biome/bin/biome', 'ci', '--colors=off', '--error-on-warnings', '.'];

/** Arguments of Node for each step. */
const steps: readonly (readonly string[])[] = [
  ['node_modules/typescript/bin/tsc', '-p', '.'],
  format,
  ['--test', 'test/architecture.test.ts', 'test/titles.test.ts', 'test/decisions.test.ts'],
  ['scripts/comments.ts'],
  ['node_modules/knip/bin/knip.js', '--config', 'scripts/knip.json'],
  ['scripts/openapi.ts', '--check'],
  createRedoclyArgs('lint', 'contract/openapi.json', 'contract/openapi.sdk.json'),
  createRedoclyArgs('diff', 'contract/baseline.json', 'contract/openapi.json', '--fail-on', 'major'),
  createRedoclyArgs('diff', 'contract/baseline.sdk.json', 'contract/openapi.sdk.json', '--fail-on', 'major'),
  ['scripts/contract-score.ts'],
];

for (const args of steps) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
  // A folder that exceeds its size budget by more than a tenth, but not by more than a quarter, passes and is reported.
  for (const [report] of stdout.matchAll(/\S.* are planned$/gm)) process.stdout.write(`${report}\n`);
  if (status === 0) continue;
  const advice = args === format ? ' npm run format fixes what can be fixed automatically.' : '';
  process.stderr.write(`${stdout}${stderr}\nnode ${args.join(' ')} failed.${advice}\n`);
  process.exit(1);
}
process.stdout.write('All checks passed.\n');
