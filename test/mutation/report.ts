/** What came of a mutation run: a score for each folder, and every mutant that no test noticed. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { folders, type Mutant } from './sample.ts';
import type { Line, Verdict } from './trial.ts';

/** Timeouts are no part of the score: the code may hang, or the machine be busy. */
export function reportOf(
  mutants: readonly Mutant[],
  verdicts: ReadonlyMap<string, Verdict>,
): { text: string; score: number } {
  const countOf = (group: readonly Mutant[], outcome: Verdict['outcome']): number =>
    group.filter(({ id }) => verdicts.get(id)?.outcome === outcome).length;
  const rowOf = (name: string, group: readonly Mutant[]): { row: string; score: number } => {
    const [killed, survived, uncovered, late] = (['killed', 'survived', 'not covered', 'timed out'] as const).map(
      (outcome) => countOf(group, outcome),
    );
    const judged = Number(killed) + Number(survived) + Number(uncovered);
    const score = judged === 0 ? 1 : Number(killed) / judged;
    const percent = `${(100 * score).toFixed(1)} %`;
    return { row: `| ${[name, group.length, killed, survived, uncovered, late, percent].join(' | ')} |`, score };
  };
  const all = rowOf('**all**', mutants);
  const rows = folders
    .map((folder) => ({ folder, group: mutants.filter((mutant) => mutant.folder === folder) }))
    .filter(({ group }) => group.length > 0)
    .map(({ folder, group }) => rowOf(`\`${folder}\``, group).row);
  const unnoticed = mutants.filter(({ id }) => verdicts.get(id)?.outcome !== 'killed');
  const text = [
    '| folder | mutants | killed | survived | not covered | timed out | score |',
    '|---|---|---|---|---|---|---|',
    ...rows,
    all.row,
    '',
    ...unnoticed.map((mutant) => `${verdicts.get(mutant.id)?.outcome}: ${shown(mutant)}`),
  ].join('\n');
  return { text, score: all.score };
}

const shown = ({ id, path, line, operator, original, text }: Mutant): string =>
  `${path}:${line} ${operator} ${id}: \`${original.replace(/\s+/g, ' ')}\` → \`${text}\``;

/** Those that were not killed in the last run that has a verdict on them. */
export function survivorsOf(state: string): ReadonlySet<string> {
  const files = readdirSync(state)
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => join(state, name))
    .sort((a, b) => statSync(a).mtimeMs - statSync(b).mtimeMs);
  const last = new Map<string, string>();
  for (const file of files) {
    for (const { id, outcome } of linesOf(readFileSync(file, 'utf8'))) last.set(id, outcome);
  }
  return new Set([...last].filter(([, outcome]) => outcome !== 'killed').map(([id]) => id));
}

/** The lines of a file of results; the last one may be cut off where the run was. */
export function linesOf(text: string): Line[] {
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  return whole
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);
}
