/** `npm run test:mutation`: makes small changes to the code, one at a time, and says which of them no test notices. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { createCoverage, hashOf } from './coverage.ts';
import { createJournal } from './journal.ts';
import { reportOf } from './report.ts';
import { folders, type Mutant, sampleOf, sourcesOf } from './sample.ts';
import { createTrials, share, type Trials, type Verdict } from './trial.ts';
import { createWorkspace, mostWorkspaces, stateFolder, type Workspace } from './workspace.ts';

const usage = `Usage: npm run test:mutation -- [--folder NAME] [--seed N] [--per-folder N] [--workers N] [--mutant ID]… [--test FILE]…
       [--report] [--fresh]

  --folder NAME   Only src/NAME: ${folders.join(', ')}.
  --seed N        Another sample; 1 unless told.
  --per-folder N  How many mutants of each folder; 46 unless told.
  --workers N     Test files that run at once; ${mostWorkspaces} unless told.
  --mutant ID     Only this mutant; may be repeated.
  --test FILE     Only with this test file; may be repeated.
  --report        Runs nothing, and reports what is known.
  --fresh         Measures again which test file runs what, and forgets what is known.`;

const root = resolve(import.meta.dirname, '../..');
const state = stateFolder(root);
const choice = readChoice(process.argv.slice(2));
if (choice === null) {
  console.error(usage);
  process.exitCode = 64;
} else process.exitCode = (await run(choice)) ? 0 : 1;

interface Choice {
  readonly seed: number;
  readonly perFolder: number;
  readonly workers: number;
  readonly only?: string;
  readonly mutants: readonly string[];
  readonly tests: readonly string[];
  readonly isReport: boolean;
  readonly fresh: boolean;
}

function readChoice(words: string[]): Choice | null {
  const number = (text: string | undefined, preset: number): number => Number(text ?? preset);
  try {
    const { values } = parseArgs({
      args: words,
      options: {
        folder: { type: 'string' },
        seed: { type: 'string' },
        'per-folder': { type: 'string' },
        workers: { type: 'string' },
        mutant: { type: 'string', multiple: true },
        test: { type: 'string', multiple: true },
        report: { type: 'boolean' },
        fresh: { type: 'boolean' },
      },
    });
    const { folder, mutant: mutants = [], test: tests = [], report: isReport = false, fresh = false } = values;
    const [seed, perFolder, workers] = [
      number(values.seed, 1),
      number(values['per-folder'], 46),
      number(values.workers, mostWorkspaces),
    ];
    if (![seed, perFolder, workers].every((given) => Number.isInteger(given) && given > 0)) return null;
    if (folder !== undefined && !folders.some((known) => known === folder)) return null;
    const only = folder !== undefined && { only: folder };
    return { seed, perFolder, workers, mutants, tests, isReport, fresh, ...only };
  } catch {
    return null;
  }
}

/** Whether at least nine in ten mutants were killed. */
async function run(chosen: Choice): Promise<boolean> {
  mkdirSync(state, { recursive: true });
  const workspaces = Array.from({ length: chosen.workers }, () => createWorkspace(root));
  const removeAll = (): void => {
    for (const workspace of workspaces) workspace.remove();
  };
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    process.once(signal, () => {
      removeAll();
      process.exit(code);
    });
  }
  try {
    return await runIn(workspaces, chosen);
  } finally {
    removeAll();
  }
}

async function runIn(workspaces: readonly Workspace[], chosen: Choice): Promise<boolean> {
  const [first] = workspaces;
  if (first === undefined) return false;
  const sample = sampleOf(first.directory, chosen);
  const wanted = sample.filter(({ id }) => chosen.mutants.length === 0 || chosen.mutants.includes(id));
  const commit = execFileSync('git', ['describe', '--always', '--dirty'], { cwd: root }).toString().trim();
  console.log(`${wanted.length} mutants of seed ${chosen.seed} at ${commit}`);
  // Read before the first mutant is written, and not from the working tree, which may change meanwhile.
  const hashes = new Map(
    ['src', 'test'].flatMap((folder) => sourcesOf(first.directory, folder)).map((path) => [path, hashOf(first, path)]),
  );
  const unknown = chosen.tests.find((test) => !hashes.has(test));
  if (unknown !== undefined) throw new Error(`There is no test file ${unknown}.`);
  const store = join(state, 'coverage.json');
  if (chosen.fresh) rmSync(store, { force: true });
  const paths = sourcesOf(first.directory, 'src');
  const coverage = createCoverage(first, { store, paths, sampled: sample.map(({ path }) => path) });
  const journal = createJournal(join(state, 'trials.jsonl'), { hashOf: (path) => hashes.get(path), ...chosen });
  const verdicts = await tryAll(workspaces, wanted, createTrials(coverage, journal), chosen);
  const { text, score } = reportOf(wanted, verdicts);
  console.log(`\nSeed ${chosen.seed}, ${chosen.perFolder} mutants a folder, at ${commit}\n\n${text}`);
  return score >= 0.9;
}

async function tryAll(
  workspaces: readonly Workspace[],
  mutants: readonly Mutant[],
  trials: Trials,
  { tests, isReport }: Choice,
): Promise<ReadonlyMap<string, Verdict>> {
  const verdicts = new Map(mutants.map((mutant) => [mutant.id, trials.known(mutant)]));
  const left = (): Mutant[] => mutants.filter(({ id }) => verdicts.get(id)?.outcome === 'left');
  const tell = (verdict: Verdict): void => {
    verdicts.set(verdict.id, verdict);
    const { path, line, operator } = mutants.find(({ id }) => id === verdict.id) ?? {};
    console.log(`${left().length} left; ${verdict.outcome} ${path}:${line} ${operator} ${verdict.by ?? verdict.id}`);
  };
  if (isReport) return verdicts;
  const only = tests.length > 0 ? tests : undefined;
  // Another test file may notice what made one run out of time.
  const late = mutants.filter(({ id }) => only !== undefined && verdicts.get(id)?.outcome === 'timed out');
  await share(workspaces, [...left(), ...late], async (workspace, mutant) =>
    tell(await trials.alone(workspace, mutant, only)),
  );
  if (only !== undefined) return verdicts;
  console.log(`${left().length} mutants are tried together with the test files that are further away`);
  for (const verdict of await trials.together(workspaces, left())) tell(verdict);
  return verdicts;
}
