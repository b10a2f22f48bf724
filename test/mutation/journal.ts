/** What every trial found out, one line each, so that no later run repeats it while the code and the test stay as they are. */
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { Mutant } from './sample.ts';
import type { Outcome } from './workspace.ts';

/** One test file that ran on the code with a mutant in it. */
interface Line {
  /** Of the mutant, whose id stays while its own line does. */
  readonly id: string;
  /** The hash of the file that the mutant is in. */
  readonly code: string;
  readonly test: string;
  /** The hash of the test file. */
  readonly hash: string;
  readonly outcome: Outcome;
}

export interface Journal {
  /** What came of the test files that ran on the mutant and have not changed since; nor has the mutant's own file. */
  outcomesOf(mutant: Mutant): ReadonlyMap<string, Outcome>;
  /** The test files that noticed the mutant, whatever has changed since. */
  noticedBy(mutant: Mutant): readonly string[];
  add(mutant: Mutant, test: string, outcome: Outcome): void;
}

/** `hashOf`: of a source or test file without any mutant, undefined when it is gone. */
export function createJournal(
  store: string,
  { hashOf, fresh }: { hashOf: (path: string) => string | undefined; fresh: boolean },
): Journal {
  if (fresh) writeFileSync(store, '');
  const lines = new Map<string, Line[]>();
  const take = (line: Line): void => {
    const others = (lines.get(line.id) ?? []).filter(({ test }) => test !== line.test);
    lines.set(line.id, [...others, line]);
  };
  for (const line of existsSync(store) ? linesOf(readFileSync(store, 'utf8')) : []) take(line);
  return {
    outcomesOf({ id, path }) {
      const valid = (lines.get(id) ?? []).filter(
        ({ code, test, hash }) => code === hashOf(path) && hash === hashOf(test),
      );
      return new Map(valid.map(({ test, outcome }) => [test, outcome]));
    },
    noticedBy({ id }) {
      const found = (lines.get(id) ?? []).filter(
        ({ test, outcome }) => outcome !== 'passed' && hashOf(test) !== undefined,
      );
      return found.map(({ test }) => test);
    },
    add({ id, path }, test, outcome) {
      const line: Line = { id, code: hashOf(path) ?? '', test, hash: hashOf(test) ?? '', outcome };
      take(line);
      appendFileSync(store, `${JSON.stringify(line)}\n`);
    },
  };
}

/** The last line may be cut off where a run was. */
const linesOf = (text: string): Line[] =>
  text
    .slice(0, text.lastIndexOf('\n') + 1)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);
