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

/** How many test files a mutant is tried with by itself. */
const nearest = 3;

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
      return await workspace.test(file, { limitMs: 30_000 + 5 * (coverage[file]?.ms ?? 0) });
    } finally {
      undo();
    }
  };
  const verdict = ({ id, path }: Mutant, outcome: Outcome, by: string): Verdict => {
    kills.set(`${path} ${by}`, (kills.get(`${path} ${by}`) ?? 0) + 1);
    return { id, outcome: outcome === 'failed' ? 'killed' : 'timed out', by };
  };
  const filesFor = (workspace: Workspace, { path, start }: Mutant): string[] => {
    const hash = hashOf(workspace, path);
    const cost = (file: string): number =>
      (coverage[file]?.ms ?? 0) / (nearness(path, file) * (1 + (kills.get(`${path} ${file}`) ?? 0)));
    return Object.keys(coverage)
      .filter((file) => coverage[file] !== undefined && covers(coverage[file], path, start, hash))
      .sort((a, b) => cost(a) - cost(b));
  };
  return {
    async alone(workspace, mutant) {
      const files = filesFor(workspace, mutant);
      if (files.length === 0) return { verdict: { id: mutant.id, outcome: 'not covered' }, tried: [] };
      const tried = files.slice(0, nearest);
      for (const file of tried) {
        const outcome = await run(workspace, file, [mutant]);
        if (outcome !== 'passed') return { verdict: verdict(mutant, outcome, file), tried };
      }
      triedAlone.set(mutant.id, tried);
      return { verdict: files.length === tried.length ? { id: mutant.id, outcome: 'survived' } : null, tried };
    },

    async together(workspaces, mutants) {
      const alive = new Map(mutants.map((mutant) => [mutant.id, mutant]));
      const verdicts: Verdict[] = [];
      const [first] = workspaces;
      if (first === undefined) return [];
      const files = new Map<string, Mutant[]>();
      for (const mutant of mutants) {
        for (const file of filesFor(first, mutant)) {
          if (!triedAlone.get(mutant.id)?.includes(file)) files.set(file, [...(files.get(file) ?? []), mutant]);
        }
      }
      const halve = async (workspace: Workspace, file: string, all: readonly Mutant[]): Promise<void> => {
        const group = all.filter(({ id }) => alive.has(id));
        if (group.length === 0) return;
        const outcome = await run(workspace, file, group);
        if (outcome === 'passed') return;
        const [only] = group;
        if (group.length === 1 && only !== undefined) {
          alive.delete(only.id);
          verdicts.push(verdict(only, outcome, file));
          return;
        }
        const middle = Math.ceil(group.length / 2);
        await halve(workspace, file, group.slice(0, middle));
        await halve(workspace, file, group.slice(middle));
      };
      const queue = [...files];
      await Promise.all(
        workspaces.map(async (workspace) => {
          for (let next = queue.shift(); next !== undefined; next = queue.shift()) await halve(workspace, ...next);
        }),
      );
      return [...verdicts, ...[...alive.keys()].map((id): Verdict => ({ id, outcome: 'survived' }))];
    },
  };
}

type Outcome = Awaited<ReturnType<Workspace['test']>>;

/** Tests stand where the code does: test/oauth/code.test.ts is nearest to src/oauth/code.ts. */
function nearness(path: string, file: string): number {
  const [own, others] = [path.replace(/^src\/|\.ts$/g, ''), file.replace(/^test\/|\.test\.ts$/g, '')];
  const [ownParts, otherParts] = [own.split('/'), others.split('/')];
  let shared = 0;
  while (shared < ownParts.length && ownParts[shared] === otherParts[shared]) shared += 1;
  return 8 ** shared;
}
