/** Whether the tests notice a mutant: first those that are nearest to it, then, for what is left, all others that run it. */
import { type Coverage, covers, hashOf } from './coverage.ts';
import type { Journal } from './journal.ts';
import type { Mutant } from './sample.ts';
import type { Outcome, Workspace } from './workspace.ts';

export interface Verdict {
  readonly id: string;
  /** `left`: the test files that are further away have not run. */
  readonly outcome: 'killed' | 'survived' | 'timed out' | 'not covered' | 'left';
  /** The test file that told. */
  readonly by?: string;
}

/** With how many test files a mutant is tried by itself, and how many of the nearest are asked whether they run it. */
const [mostTried, mostAsked] = [3, 8];

export interface Trials {
  /** What is known of the mutant without running anything. */
  known(mutant: Mutant): Verdict;
  /** Tries the mutant by itself, with `only` these test files or with the nearest. */
  alone(workspace: Workspace, mutant: Mutant, only?: readonly string[]): Promise<Verdict>;
  /** Tries those that are left together, test file by test file, and in halves where one of them is noticed. */
  together(workspaces: readonly Workspace[], mutants: readonly Mutant[]): Promise<Verdict[]>;
}

export function createTrials(coverage: Coverage, journal: Journal): Trials {
  const kills = new Map<string, number>();

  const run = async (workspace: Workspace, file: string, mutants: readonly Mutant[]): Promise<Outcome> => {
    const undo = workspace.change(mutants);
    try {
      const outcome = await workspace.test(file, { limitMs: 30_000 + 5 * coverage.msOf(file) });
      // Of several, nobody knows which one was noticed.
      if (outcome === 'passed' || mutants.length === 1) for (const one of mutants) journal.add(one, file, outcome);
      return outcome;
    } finally {
      undo();
    }
  };
  const known = (mutant: Mutant): Verdict => {
    const outcomes = [...journal.outcomesOf(mutant)];
    const [by] = outcomes.find(([, outcome]) => outcome === 'failed') ?? [];
    if (by !== undefined) return verdictOf(mutant, 'failed', by);
    const [late] = outcomes.find(([, outcome]) => outcome === 'timed out') ?? [];
    return late === undefined ? { id: mutant.id, outcome: 'left' } : verdictOf(mutant, 'timed out', late);
  };
  /** The nearest first; of those, the quick ones and the ones that noticed other mutants of the file. */
  const nearestTo = ({ path }: Mutant): string[] => {
    const cost = (file: string): number =>
      coverage.msOf(file) / (nearness(path, file) * (1 + (kills.get(`${path} ${file}`) ?? 0)));
    return [...coverage.files].sort((a, b) => cost(a) - cost(b)).slice(0, mostAsked);
  };
  const runs = async (workspace: Workspace, file: string, { path, start, operator }: Mutant): Promise<boolean> => {
    const measured = await coverage.of(workspace, file);
    // To V8 `&& b` is a separate part that may not run; the operator decides even when it does not.
    const place = operator === 'logic' ? start - 1 : start;
    return measured !== null && covers(measured, path, place, hashOf(workspace, path));
  };
  /** Of the mutants, those that the test file runs and has not run on yet. */
  const groupFor = async (workspace: Workspace, file: string, mutants: readonly Mutant[]): Promise<Mutant[]> => {
    const group: Mutant[] = [];
    for (const mutant of mutants) {
      if (!journal.outcomesOf(mutant).has(file) && (await runs(workspace, file, mutant))) group.push(mutant);
    }
    return group;
  };

  return {
    known,

    async alone(workspace, mutant, only) {
      const before = journal.outcomesOf(mutant);
      const noticed = journal.noticedBy(mutant);
      let tried = 0;
      for (const file of only ?? [...noticed, ...nearestTo(mutant).filter((one) => !noticed.includes(one))]) {
        const isChosen = only !== undefined || noticed.includes(file);
        if (!isChosen && !(await runs(workspace, file, mutant))) continue;
        tried += 1;
        const outcome = before.get(file) === 'passed' ? 'passed' : await run(workspace, file, [mutant]);
        if (outcome !== 'passed') {
          kills.set(`${mutant.path} ${file}`, (kills.get(`${mutant.path} ${file}`) ?? 0) + 1);
          return verdictOf(mutant, outcome, file);
        }
        if (only === undefined && tried >= mostTried) break;
      }
      return { id: mutant.id, outcome: 'left' };
    },

    async together(workspaces, mutants) {
      const alive = new Map(mutants.map((mutant) => [mutant.id, mutant]));
      const verdicts: Verdict[] = [];
      const halve = async (workspace: Workspace, file: string, all: readonly Mutant[]): Promise<void> => {
        const group = all.filter(({ id }) => alive.has(id));
        const [only] = group;
        if (only === undefined) return;
        const outcome = await run(workspace, file, group);
        if (outcome === 'passed') return;
        if (group.length === 1) {
          alive.delete(only.id);
          verdicts.push(verdictOf(only, outcome, file));
          return;
        }
        const middle = Math.ceil(group.length / 2);
        await halve(workspace, file, group.slice(0, middle));
        await halve(workspace, file, group.slice(middle));
      };
      await share(workspaces, coverage.files, async (workspace, file) => {
        // A run with all of them takes as long as a measurement, and mostly tells that none is noticed.
        const untried = [...alive.values()].filter((mutant) => !journal.outcomesOf(mutant).has(file));
        if (untried.length === 0) return;
        if (!coverage.isMeasured(file) && (await run(workspace, file, untried)) === 'passed') return;
        await halve(workspace, file, await groupFor(workspace, file, untried));
      });
      const left = [...alive.values()].map(
        (mutant): Verdict => ({
          id: mutant.id,
          outcome: journal.outcomesOf(mutant).size > 0 ? 'survived' : 'not covered',
        }),
      );
      return [...verdicts, ...left];
    },
  };
}

const verdictOf = ({ id }: Mutant, outcome: Outcome, by: string): Verdict => ({
  id,
  outcome: outcome === 'failed' ? 'killed' : 'timed out',
  by,
});

/** Takes what is next as soon as a workspace is free. */
export async function share<T>(
  workspaces: readonly Workspace[],
  items: readonly T[],
  work: (workspace: Workspace, item: T) => Promise<void>,
): Promise<void> {
  const queue = [...items];
  await Promise.all(
    workspaces.map(async (workspace) => {
      for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(workspace, item);
    }),
  );
}

/** Tests stand where the code does: test/oauth/code.test.ts is nearest to src/oauth/code.ts, then test/endpoints/oauth. */
function nearness(path: string, file: string): number {
  const own = path.replace(/^src\/|\.ts$/g, '').split('/');
  const others = file.replace(/^test\/|\.test\.ts$/g, '').split('/');
  const unlike = own.findIndex((part, index) => part !== others[index]);
  const shared = others.filter((part) => own.includes(part)).length;
  return 8 ** ((unlike === -1 ? own.length : unlike) + shared / 2);
}
