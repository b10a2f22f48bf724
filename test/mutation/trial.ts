/** Whether the tests notice a mutant: first those that are nearest to it, then, for what is left, all others that run it. */
import { type Coverage, covers, hashOf } from './coverage.ts';
import type { Mutant } from './sample.ts';
import type { Workspace } from './workspace.ts';

export interface Verdict {
  readonly id: string;
  readonly outcome: 'killed' | 'survived' | 'timed out' | 'not covered';
  /** The test file that told. */
  readonly by?: string;
}

/** What is kept of a mutant, so that a run can be continued. */
export type Line = Verdict | { readonly id: string; readonly outcome: 'left'; readonly tried: readonly string[] };

/** With how many test files a mutant is tried by itself, and how many of the nearest are asked whether they run it. */
const [mostTried, mostAsked] = [3, 8];

export interface Trials {
  /** Tries the mutant by itself; without a verdict it is left for the others. */
  alone(workspace: Workspace, mutant: Mutant): Promise<{ verdict: Verdict | null; tried: readonly string[] }>;
  /** Tries those that are left together, test file by test file, and in halves where one of them is noticed. */
  together(workspaces: readonly Workspace[], mutants: readonly Mutant[]): Promise<Verdict[]>;
}

/** `earlier`: what an interrupted run had found out. */
export function createTrials(coverage: Coverage, earlier: readonly Line[]): Trials {
  const kills = new Map<string, number>();
  const triedAlone = new Map(earlier.map((line) => [line.id, line.outcome === 'left' ? line.tried : []]));

  const run = async (workspace: Workspace, file: string, mutants: readonly Mutant[]): Promise<Outcome> => {
    const undo = workspace.change(mutants);
    try {
      return await workspace.test(file, { limitMs: 30_000 + 5 * coverage.msOf(file) });
    } finally {
      undo();
    }
  };
  const verdict = ({ id, path }: Mutant, outcome: Outcome, by: string): Verdict => {
    kills.set(`${path} ${by}`, (kills.get(`${path} ${by}`) ?? 0) + 1);
    return { id, outcome: outcome === 'failed' ? 'killed' : 'timed out', by };
  };
  /** The nearest first; of those, the quick ones and the ones that noticed other mutants of the file. */
  const filesFor = ({ path }: Mutant): string[] => {
    const cost = (file: string): number =>
      coverage.msOf(file) / (nearness(path, file) * (1 + (kills.get(`${path} ${file}`) ?? 0)));
    return [...coverage.files].sort((a, b) => cost(a) - cost(b));
  };
  const runs = async (workspace: Workspace, file: string, { path, start }: Mutant): Promise<boolean> => {
    const measured = await coverage.of(workspace, file);
    return measured !== null && covers(measured, path, start, hashOf(workspace, path));
  };

  return {
    async alone(workspace, mutant) {
      const tried: string[] = [];
      for (const file of filesFor(mutant).slice(0, mostAsked)) {
        if (!(await runs(workspace, file, mutant))) continue;
        tried.push(file);
        const outcome = await run(workspace, file, [mutant]);
        if (outcome !== 'passed') return { verdict: verdict(mutant, outcome, file), tried };
        if (tried.length === mostTried) break;
      }
      triedAlone.set(mutant.id, tried);
      return { verdict: null, tried };
    },

    async together(workspaces, mutants) {
      const alive = new Map(mutants.map((mutant) => [mutant.id, mutant]));
      const covered = new Set(mutants.filter(({ id }) => (triedAlone.get(id) ?? []).length > 0).map(({ id }) => id));
      const verdicts: Verdict[] = [];
      const halve = async (workspace: Workspace, file: string, all: readonly Mutant[]): Promise<void> => {
        const group = all.filter(({ id }) => alive.has(id));
        const [only] = group;
        if (only === undefined) return;
        const outcome = await run(workspace, file, group);
        if (outcome === 'passed') return;
        if (group.length === 1) {
          alive.delete(only.id);
          verdicts.push(verdict(only, outcome, file));
          return;
        }
        const middle = Math.ceil(group.length / 2);
        await halve(workspace, file, group.slice(0, middle));
        await halve(workspace, file, group.slice(middle));
      };
      await share(workspaces, coverage.files, async (workspace, file) => {
        const group: Mutant[] = [];
        for (const mutant of alive.values()) {
          if (triedAlone.get(mutant.id)?.includes(file) === true) continue;
          if (await runs(workspace, file, mutant)) group.push(mutant);
        }
        for (const { id } of group) covered.add(id);
        await halve(workspace, file, group);
      });
      const left = [...alive.keys()].map(
        (id): Verdict => ({ id, outcome: covered.has(id) ? 'survived' : 'not covered' }),
      );
      return [...verdicts, ...left];
    },
  };
}

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

type Outcome = Awaited<ReturnType<Workspace['test']>>;

/** Tests stand where the code does: test/oauth/code.test.ts is nearest to src/oauth/code.ts, then test/endpoints/oauth. */
function nearness(path: string, file: string): number {
  const own = path.replace(/^src\/|\.ts$/g, '').split('/');
  const others = file.replace(/^test\/|\.test\.ts$/g, '').split('/');
  const unlike = own.findIndex((part, index) => part !== others[index]);
  const shared = others.filter((part) => own.includes(part)).length;
  return 8 ** ((unlike === -1 ? own.length : unlike) + shared / 2);
}
