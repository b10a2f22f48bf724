/** Tests the test runner: a file that ends, blocks or breaks its process fails, and the other files run. */
import assert from 'node:assert/strict';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { startProgram } from './support/command.ts';

/** Source text of each file that the runner gets. */
const files = {
  'hooks.test.mjs': `
    import { after, beforeEach, test } from 'node:test';
    let seen = 0;
    beforeEach(() => { seen += 1; });
    after(() => { if (seen !== 2) throw new Error('the hooks of another file ran'); });
    test('first', () => {});
    test('second', (t) => { t.diagnostic('a measurement'); });
    test('third', { skip: 'the runner has to count it' }, () => {});`,
  'fails.test.mjs': `
    import { deepEqual } from 'node:assert/strict';
    import { describe, it } from 'node:test';
    describe('a suite', () => { it('compares', () => deepEqual({ a: 1 }, { a: 2 })); it('holds', () => {}); });`,
  'exits.test.mjs': `import { test } from 'node:test'; test('leaves', () => process.exit(3));`,
  'hangs.test.mjs': `
    import { createServer } from 'node:net';
    import { test } from 'node:test';
    test('listens', () => { createServer().listen(0); });`,
  'late.test.mjs': `
    import { test } from 'node:test';
    test('goes wrong afterwards', () => { setTimeout(() => { throw new Error('late'); }, 5); });`,
  'empty.test.mjs': `import 'node:test';`,
  'broken.test.mjs': `throw new Error('at import');`,
};

test('runSuite prints each failure with its file, and runs the other files', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'colophon-runner-'));
  t.after(() => rmSync(directory, { recursive: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text);
  const paths = Object.keys(files).map((name) => join(directory, name));
  const program = `
    import { runSuite } from ${JSON.stringify(new URL('runner.ts', import.meta.url).href)};
    const passed = await runSuite({ files: ${JSON.stringify(paths)}, processes: 2, testTimeoutMs: 1000 });
    process.exitCode = passed ? 0 : 7;`;
  const runner = startProgram(process.execPath, ['--input-type=module', '--eval', program]);
  assert.equal(await runner.exitCode, 7);
  const text = stripVTControlCharacters(runner.getStdout());
  for (const expected of [
    /^ℹ a measurement$/m,
    /fails\.test\.mjs:4:\d+\n✖ compares .*\n\s+AssertionError[\s\S]*\+ {3}a: 1/,
    /^✖ \S+exits\.test\.mjs: its process ended with 3\.$/m,
    /^✖ \S+hangs\.test\.mjs: it does not end\.$/m,
    /^✖ \S+empty\.test\.mjs: it registers no test\.$/m,
    /Error: at import/,
    /Error: late/,
    /^ℹ skipped 1$/m,
  ]) {
    assert.match(text, expected);
  }
  const failed = [...text.matchAll(/^✖ \S+\/(\w+)\.test\.mjs$/gm)].map(([, name]) => name);
  assert.deepEqual(failed.sort(), ['broken', 'empty', 'exits', 'fails', 'hangs', 'late']);
});

test('no test file waits at its top level', () => {
  const root = resolve(import.meta.dirname, '..');
  const waitingFiles = globSync('test/**/*.test.ts', { cwd: root, exclude: ['**/node_modules'] }).filter((file) =>
    readFileSync(resolve(root, file), 'utf8')
      .split('\n')
      .some((line) => /^\S.*\bawait\b|^await\b/.test(line) && !line.includes('async')),
  );
  assert.deepEqual(waitingFiles, []);
});
