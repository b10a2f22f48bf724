/** `npm run test:mutation`: makes small changes to the code, one at a time, and says which of them no test notices. */
import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type Coverage, createCoverage, hashOf } from './coverage.ts';
import { linesOf, reportOf, survivorsOf } from './report.ts';
import { folders, type Mutant, sampleOf, sourcesOf } from './sample.ts';
import { createTrials, type Line, share, type Verdict } from './trial.ts';
import { createWorkspace, mostWorkspaces, type Workspace } from './workspace.ts';

const usage = `Usage: npm run test:mutation -- [--folder NAME] [--seed N] [--per-folder N] [--workers N] [--survivors] [--fresh]

  --folder NAME   Only src/NAME: ${folders.join(', ')}.
  --seed N        Another sample; 1 unless told.
  --per-folder N  How many mutants of each folder; 46 unless told.
  --workers N     Test files that run at once; ${mostWorkspaces} unless told.
  --survivors     Only mutants that a run before did not kill.
  --fresh         Measure again which test file runs what, and forget earlier verdicts on this code.`;

const root = resolve(import.meta.dirname, '../..');
const state = join(root, 'node_modules/.cache/colophon-mutation');
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
  readonly survivors: boolean;
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
        survivors: { type: 'boolean' },
        fresh: { type: 'boolean' },
      },
    });
    const { folder, survivors = false, fresh = false } = values;
    const [seed, perFolder, workers] = [
      number(values.seed, 1),
      number(values['per-folder'], 46),
      number(values.workers, mostWorkspaces),
    ];
    if (![seed, perFolder, workers].every((given) => Number.isInteger(given) && given > 0)) return null;
    if (folder !== undefined && !folders.some((known) => known === folder)) return null;
    return { seed, perFolder, workers, survivors, fresh, ...(folder !== undefined && { only: folder }) };
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
  process.once('SIGINT', () => {
    removeAll();
    process.exit(130);
  });
  try {
    return await runIn(workspaces, chosen);
  } finally {
    removeAll();
  }
}

async function runIn(workspaces: readonly Workspace[], chosen: Choice): Promise<boolean> {
  const [first] = workspaces;
  if (first === undefined) return false;
  const mutants = sampleOf(first.directory, chosen);
  const log = resultsFile(first, chosen.seed);
  if (chosen.fresh) writeFileSync(log, '');
  const earlier = chosen.survivors ? survivorsOf(state) : null;
  const wanted = mutants.filter(({ id }) => earlier?.has(id) ?? true);
  const commit = execFileSync('git', ['describe', '--always', '--dirty'], { cwd: root }).toString().trim();
  console.log(`${wanted.length} mutants of seed ${chosen.seed} at ${commit}`);
  const store = join(state, 'coverage.json');
  if (chosen.fresh) rmSync(store, { force: true });
  const paths = sourcesOf(first.directory, 'src');
  const coverage = createCoverage(first, { store, paths, sampled: mutants.map(({ path }) => path) });
  const verdicts = await tryAll(workspaces, wanted, coverage, log);
  const { text, score } = reportOf(wanted, verdicts);
  console.log(`\nSeed ${chosen.seed}, ${chosen.perFolder} mutants a folder, at ${commit}\n\n${text}`);
  return score >= 0.9;
}

/** What was found out is kept by the code and tests that it was found out with. */
function resultsFile(workspace: Workspace, seed: number): string {
  const files = ['src', 'test']
    .flatMap((folder) => sourcesOf(workspace.directory, folder))
    .filter((file) => !file.startsWith('test/mutation/'));
  const digest = files.map((file) => hashOf(workspace, file)).join('');
  const name = `results-${seed}-${Buffer.from(digest, 'hex').reduce((sum, byte) => (sum * 31 + byte) % 2 ** 40, 7)}.jsonl`;
  return join(state, name);
}

async function tryAll(
  workspaces: readonly Workspace[],
  mutants: readonly Mutant[],
  coverage: Coverage,
  log: string,
): Promise<ReadonlyMap<string, Verdict>> {
  const lines = existsSync(log) ? linesOf(readFileSync(log, 'utf8')) : [];
  const trials = createTrials(coverage, lines);
  const verdicts = new Map<string, Verdict>();
  const left = new Map<string, Mutant>();
  const note = (line: Line): void => appendFileSync(log, `${JSON.stringify(line)}\n`);
  const settle = (mutant: Mutant, verdict: Verdict): void => {
    verdicts.set(mutant.id, verdict);
    note(verdict);
    const { path, line, operator } = mutant;
    console.log(
      `${verdicts.size}/${mutants.length} ${verdict.outcome} ${path}:${line} ${operator} ${verdict.by ?? ''}`,
    );
  };
  const queue: Mutant[] = [];
  for (const mutant of mutants) {
    const line = lines.findLast(({ id }) => id === mutant.id);
    if (line === undefined) queue.push(mutant);
    else if (line.outcome === 'left') left.set(mutant.id, mutant);
    else verdicts.set(mutant.id, line);
  }
  await share(workspaces, queue, async (workspace, mutant) => {
    const { verdict, tried } = await trials.alone(workspace, mutant);
    if (verdict !== null) return settle(mutant, verdict);
    console.log(`left ${mutant.path}:${mutant.line} ${mutant.operator}`);
    left.set(mutant.id, mutant);
    note({ id: mutant.id, outcome: 'left', tried });
  });
  console.log(`${left.size} mutants are tried together with the test files that are further away`);
  for (const verdict of await trials.together(workspaces, [...left.values()])) {
    const mutant = left.get(verdict.id);
    if (mutant !== undefined) settle(mutant, verdict);
  }
  return verdicts;
}
