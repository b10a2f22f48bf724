/** The runner of the suites: what a file does to its process is that file's failure, and the others run. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { runSuite } from './suite.ts';

/** Written to disk and run by the test below, which counts the skipped one. */
const files = {
  'hooks.test.mjs': `
    import { after, before, beforeEach, test } from 'node:test';
    let seen = 0;
    before(() => { globalThis.left = (globalThis.left ?? 0) + 1; });
    beforeEach(() => { seen += 1; });
    after(() => { if (seen !== 2) throw new Error('the hooks of another file ran'); });
    test('first', () => {});
    test('second', (t) => { t.diagnostic('row 1: measured'); });
    test('third', { skip: 'the runner has to count it' }, () => {});`,
  'fails.test.mjs': `
    import { deepEqual } from 'node:assert/strict';
    import { beforeEach, describe, it } from 'node:test';
    beforeEach(() => {});
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
  'lost.test.mjs': `
    import { existsSync, writeFileSync } from 'node:fs';
    import { test } from 'node:test';
    const mark = import.meta.filename + '.mark';
    if (existsSync(mark)) test('is there the second time', () => {});
    writeFileSync(mark, '');`,
  'broken.test.mjs': `throw new Error('at import');`,
  'slow.test.mjs': `
    import { test } from 'node:test';
    import { setTimeout } from 'node:timers/promises';
    test('takes too long', () => setTimeout(3000));`,
};

test('each failure is printed with its file and test, and the rest runs', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'colophon-suite-'));
  t.after(() => rmSync(directory, { recursive: true }));
  let printed = '';
  const output = new Writable({
    write(chunk, _, done) {
      printed += chunk;
      done();
    },
  });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text);
  const suite = { processes: 2, testTimeoutMs: 1500, silenceMs: 10_000, output };
  const { passed, times } = await runSuite({
    ...suite,
    files: Object.keys(files).map((name) => join(directory, name)),
  });
  const text = stripVTControlCharacters(printed);
  assert.equal(passed, false);
  assert.equal(times.length, 9);
  assert.match(text, /^ℹ row 1: measured$/m);
  const failures = text.slice(text.indexOf('failing tests:'));
  for (const failure of [
    /fails\.test\.mjs:5:\d+\n✖ compares .*\n\s+AssertionError[\s\S]*\+ {3}a: 1/,
    /exits\.test\.mjs\n\s+Its process ended with 3\./,
    /hangs\.test\.mjs\n\s+It did not end: .*TCPServerWrap.* kept it running\./,
    /late\.test\.mjs\n\s+An error came after its tests\./,
    /empty\.test\.mjs\n\s+It has no tests, or registers them too late\./,
    /broken\.test\.mjs .*\n\s+Error: at import/,
    /✖ takes too long .*\n\s+'test timed out after 1500ms'/,
  ]) {
    assert.match(failures, failure);
  }
  assert.doesNotMatch(failures, /hooks\.test|lost\.test/);
  assert.match(
    text,
    /^ℹ files 9\nℹ tests 15\nℹ suites 1\nℹ pass 7\nℹ fail 7\nℹ skipped 1\nℹ todo 0\nℹ duration_ms \d+\n/m,
  );

  const good = await runSuite({ ...suite, files: [join(directory, 'hooks.test.mjs')] });
  assert.equal(good.passed, true);
});
