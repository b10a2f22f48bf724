/** The mutation run's own parts: which changes it makes to a source, which of them it samples, and how it counts them. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { type Coverage, covers, hashOf, type TestCoverage } from './coverage.ts';
import { createJournal } from './journal.ts';
import { changesOf } from './mutants.ts';
import { reportOf } from './report.ts';
import { type Mutant, sampleOf } from './sample.ts';
import { createTrials } from './trial.ts';
import { stateFolder, type Workspace } from './workspace.ts';

/** The source with each change made, in the order of their places. */
const mutated = (source: string): string[] =>
  changesOf('a.ts', source)
    .sort((a, b) => a.start - b.start || a.end - b.end)
    .map(({ start, end, text }) => source.slice(0, start) + text + source.slice(end));

describe('the changes to a source', () => {
  const sources: Record<string, string[]> = {
    'const a = b < c;': ['const a = b <= c;'],
    'const a = b === (c ?? d);': ['const a = b !== (c ?? d);', 'const a = b === (c && d);'],
    'const a = b - c;': ['const a = b + c;'],
    "const a = b + 'c d';": [],
    'if (a) b();': ['if (false) b();', 'if (true) b();', 'if (a) ;'],
    'while (!a) b += c;': ['while (a) b += c;', 'while (false) b += c;', 'while (!a) ;', 'while (!a) b -= c;'],
    'const a = [true, ...b];': ['const a = [ ...b];', 'const a = [false, ...b];', 'const a = [true, ];'],
    'const a = { b: 7 };': ['const a = {  };', 'const a = { b: 8 };'],
    "const a = b('c', `d e`);": ["const a = b('', `d e`);"],
    "throw new Error('of people');": [';'],
    'const a = b.trim().startsWith(c);': ['const a = b.startsWith(c);', 'const a = b.trim().endsWith(c);'],
    'const a = /^b$/i;': ['const a = /b$/i;', 'const a = /^b/i;', 'const a = /^b$/;'],
    "const a = 'SELECT b FROM c WHERE d > ? AND e IS NULL';": [
      "const a = 'SELECT b FROM c WHERE d >= ? AND e IS NULL';",
      "const a = 'SELECT b FROM c WHERE d > ? OR e IS NULL';",
      "const a = 'SELECT b FROM c WHERE d > ? AND e IS NOT NULL';",
    ],
    "import a from 'b'; type C = 'd' | 1; const e: C = f as 'd';": [],
  };
  for (const [source, expected] of Object.entries(sources)) {
    it(`are all that the operators know: ${source}`, () => {
      assert.deepEqual(mutated(source).sort(), [...expected].sort());
    });
  }
});

/** A repository with one source file. */
function repositoryWith(t: TestContext, source: string): string {
  const root = mkdtempSync(join(tmpdir(), 'colophon-mutants-'));
  t.after(() => rmSync(root, { recursive: true }));
  for (const folder of ['limits', 'oauth', 'store', 'mcp', 'content', 'feed', 'http', 'endpoints', 'search']) {
    mkdirSync(join(root, 'src', folder), { recursive: true });
  }
  writeFileSync(join(root, 'src/limits/a.ts'), source);
  return root;
}

describe('the sample', () => {
  const lines = Array.from({ length: 40 }, (_, index) => `export const a${index} = b < ${index} && c;`);

  it('is decided by its seed, has one mutant a line, and stays when other lines come', (t) => {
    const idsOf = (root: string, seed: number) =>
      sampleOf(root, { seed, perFolder: 20 }).map(({ id, line }) => `${id} ${line}`);
    const root = repositoryWith(t, lines.join('\n'));
    const ids = idsOf(root, 1);
    assert.equal(new Set(ids.map((id) => id.split(' ')[1])).size, 20);
    assert.deepEqual(idsOf(root, 1), ids);
    assert.notDeepEqual(idsOf(root, 2), ids);
    const moved = repositoryWith(t, ['// A comment.', ...lines].join('\n'));
    assert.deepEqual(
      idsOf(moved, 1),
      ids.map((id) => id.replace(/\d+$/, (line) => String(Number(line) + 1))),
    );
  });

  it('is of one folder when that is asked for', (t) => {
    const root = repositoryWith(t, lines.join('\n'));
    assert.equal(sampleOf(root, { seed: 1, perFolder: 5, only: 'limits' }).length, 5);
    assert.deepEqual(sampleOf(root, { seed: 1, perFolder: 5, only: 'oauth' }), []);
  });
});

describe('the trials', () => {
  const files = Array.from({ length: 8 }, (_, index) => `test/far/${index}.test.ts`);

  /** Test files, each of which fails for the mutants listed with it. */
  function createRun(
    t: TestContext,
    noticedBy: Record<string, readonly string[]>,
    { unmeasured = [] }: { unmeasured?: readonly string[] } = {},
  ) {
    const root = repositoryWith(t, 'export const a = b < 1 && c < 2 && d < 3;\n');
    const hash = hashOf({ directory: root }, 'src/limits/a.ts');
    const measured = {
      hash: '',
      ms: 10,
      sources: { 'src/limits/a.ts': { hash, ranges: [[0, 35]] } },
    } satisfies TestCoverage;
    const coverage: Coverage = {
      files,
      msOf: () => 10,
      isMeasured: (file) => !unmeasured.includes(file),
      of: async () => measured,
    };
    const runs: string[] = [];
    let written: string[] = [];
    const workspace: Workspace = {
      directory: root,
      change(changes) {
        written = changes.map(({ text }) => text);
        return () => {
          written = [];
        };
      },
      async test(file) {
        runs.push(`${file} ${written.length}`);
        return written.some((text) => noticedBy[file]?.includes(text)) ? 'failed' : 'passed';
      },
      remove() {},
    };
    const mutant = (id: string, start: number, operator: Mutant['operator'] = 'comparison'): Mutant => ({
      id,
      folder: 'limits',
      path: 'src/limits/a.ts',
      line: 1,
      original: '',
      operator,
      start,
      end: start + 1,
      text: id,
    });
    /** What a run that starts now finds: the earlier ones have left their journal. */
    const start = (changed: Record<string, string> = {}) => {
      runs.length = 0;
      const hashOf = (path: string): string => changed[path] ?? 'as it was';
      return createTrials(coverage, createJournal(join(root, 'trials.jsonl'), { hashOf, fresh: false }));
    };
    return { start, workspace, mutant, runs };
  }

  it('end at the first test file that notices the mutant', async (t) => {
    const { start, workspace, mutant, runs } = createRun(t, { 'test/far/1.test.ts': ['m'] });
    const verdict = await start().alone(workspace, mutant('m', 4));
    assert.deepEqual(verdict, { id: 'm', outcome: 'killed', by: 'test/far/1.test.ts' });
    assert.deepEqual(runs, ['test/far/0.test.ts 1', 'test/far/1.test.ts 1']);
  });

  it('say of a mutant that no test file runs that it is not covered', async (t) => {
    const { start, workspace, mutant, runs } = createRun(t, {});
    const trials = start();
    const uncovered = mutant('m', 40);
    assert.deepEqual(await trials.alone(workspace, uncovered), { id: 'm', outcome: 'left' });
    assert.deepEqual(await trials.together([workspace], [uncovered]), [{ id: 'm', outcome: 'not covered' }]);
    assert.deepEqual(runs, []);
  });

  it('take a logical operator as run when what stands before it is', async (t) => {
    const { start, workspace, mutant, runs } = createRun(t, {});
    await start().alone(workspace, mutant('m', 35, 'logic'));
    assert.equal(runs.length, 3);
  });

  it('put those that are left together, and part them where one is noticed', async (t) => {
    const { start, workspace, mutant, runs } = createRun(t, { 'test/far/7.test.ts': ['b'] });
    const trials = start();
    const mutants = ['a', 'b', 'c'].map((id, index) => mutant(id, index));
    for (const one of mutants) assert.equal((await trials.alone(workspace, one)).outcome, 'left');
    runs.length = 0;
    assert.deepEqual(await trials.together([workspace], mutants), [
      { id: 'b', outcome: 'killed', by: 'test/far/7.test.ts' },
      { id: 'a', outcome: 'survived' },
      { id: 'c', outcome: 'survived' },
    ]);
    assert.deepEqual(runs, [
      ...[3, 4, 5, 6, 7].map((index) => `test/far/${index}.test.ts 3`),
      'test/far/7.test.ts 2',
      'test/far/7.test.ts 1',
      'test/far/7.test.ts 1',
      'test/far/7.test.ts 1',
    ]);
  });

  it('run a test file that is not measured with all that are left, and ask what it runs only when it fails', async (t) => {
    const unmeasured = files.slice(6);
    const { start, workspace, mutant, runs } = createRun(t, { 'test/far/7.test.ts': ['b'] }, { unmeasured });
    const mutants = [mutant('a', 4), mutant('b', 5), mutant('not run', 40)];
    assert.deepEqual(await start().together([workspace], mutants), [
      { id: 'b', outcome: 'killed', by: 'test/far/7.test.ts' },
      { id: 'a', outcome: 'survived' },
      { id: 'not run', outcome: 'survived' },
    ]);
    assert.deepEqual(runs.slice(5), [
      'test/far/5.test.ts 2',
      'test/far/6.test.ts 3',
      'test/far/7.test.ts 3',
      'test/far/7.test.ts 2',
      'test/far/7.test.ts 1',
      'test/far/7.test.ts 1',
    ]);
  });

  it('are not repeated by a later run', async (t) => {
    const { start, workspace, mutant, runs } = createRun(t, { 'test/far/1.test.ts': ['m'] });
    const [noticed, unnoticed] = [mutant('m', 4), mutant('u', 5)];
    for (const one of [noticed, unnoticed]) await start().alone(workspace, one);
    await start().together([workspace], [unnoticed]);
    const trials = start();
    assert.deepEqual(trials.known(noticed), { id: 'm', outcome: 'killed', by: 'test/far/1.test.ts' });
    assert.deepEqual(await trials.alone(workspace, unnoticed), { id: 'u', outcome: 'left' });
    assert.deepEqual(await trials.together([workspace], [unnoticed]), [{ id: 'u', outcome: 'survived' }]);
    assert.deepEqual(runs, []);
  });

  it('are repeated when the code or the test file has changed, with the one that noticed it first', async (t) => {
    const { start, workspace, mutant, runs } = createRun(t, { 'test/far/2.test.ts': ['m'] });
    const one = mutant('m', 4);
    await start().alone(workspace, one);
    for (const changed of ['src/limits/a.ts', 'test/far/2.test.ts']) {
      const trials = start({ [changed]: 'changed' });
      assert.deepEqual(trials.known(one), { id: 'm', outcome: 'left' });
      assert.deepEqual(await trials.alone(workspace, one), { id: 'm', outcome: 'killed', by: 'test/far/2.test.ts' });
      assert.deepEqual(runs, ['test/far/2.test.ts 1']);
    }
  });

  it('are with the chosen test files when those are named', async (t) => {
    const { start, workspace, mutant, runs } = createRun(t, { 'test/far/7.test.ts': ['m'] });
    const verdict = await start().alone(workspace, mutant('m', 40), ['test/far/6.test.ts', 'test/far/7.test.ts']);
    assert.deepEqual(verdict, { id: 'm', outcome: 'killed', by: 'test/far/7.test.ts' });
    assert.deepEqual(runs, ['test/far/6.test.ts 1', 'test/far/7.test.ts 1']);
  });
});

it('what a run found out stays when the packages are installed again, and Git ignores it', () => {
  const root = resolve(import.meta.dirname, '../..');
  const [folder = '', ...rest] = relative(root, stateFolder(root)).replaceAll('\\', '/').split('/');
  assert.notEqual(folder, 'node_modules');
  assert.ok(readFileSync(join(root, '.gitignore'), 'utf8').split('\n').includes(`/${folder}/`));
  assert.equal(rest.length, 1);
});

it('a test file covers what it ran, and all of a file that has changed since', () => {
  const measured = { hash: '', ms: 1, sources: { 'src/a.ts': { hash: 'h', ranges: [[5, 10]] as [number, number][] } } };
  assert.deepEqual(
    [4, 5, 9, 10].map((offset) => covers(measured, 'src/a.ts', offset, 'h')),
    [false, true, true, false],
  );
  assert.equal(covers(measured, 'src/a.ts', 0, 'changed'), true);
  assert.equal(covers(measured, 'src/b.ts', 5, 'h'), false);
});

it('the score leaves out what timed out, and counts what is left as not killed', () => {
  const mutants = ['a', 'b', 'c', 'd', 'e'].map((id) => ({ id, folder: 'feed', original: 'x', text: 'y' }) as Mutant);
  const outcomes = ['killed', 'survived', 'timed out', 'killed', 'left'] as const;
  const verdicts = new Map(mutants.map(({ id }, index) => [id, { id, outcome: outcomes[index] ?? 'killed' }]));
  const { text, score } = reportOf(mutants, verdicts);
  assert.equal(score, 2 / 4);
  assert.match(text, /^\| `feed` \| 5 \| 2 \| 1 \| 0 \| 1 \| 1 \| 50\.0 % \|$/m);
});
