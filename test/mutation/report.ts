/** What came of a mutation run: a score for each folder, and every mutant that no test noticed. */
import { folders, type Mutant } from './sample.ts';
import type { Verdict } from './trial.ts';

const outcomes = ['killed', 'survived', 'not covered', 'left', 'timed out'] as const;

/** Timeouts are no part of the score: the code may hang, or the machine be busy. What is left counts as not killed. */
export function reportOf(
  mutants: readonly Mutant[],
  verdicts: ReadonlyMap<string, Verdict>,
): { text: string; score: number } {
  const countOf = (group: readonly Mutant[], outcome: Verdict['outcome']): number =>
    group.filter(({ id }) => verdicts.get(id)?.outcome === outcome).length;
  const rowOf = (name: string, group: readonly Mutant[]): { row: string; score: number } => {
    const counts = outcomes.map((outcome) => countOf(group, outcome));
    const judged = group.length - countOf(group, 'timed out');
    const score = judged === 0 ? 1 : countOf(group, 'killed') / judged;
    const percent = `${(100 * score).toFixed(1)} %`;
    return { row: `| ${[name, group.length, ...counts, percent].join(' | ')} |`, score };
  };
  const all = rowOf('**all**', mutants);
  const rows = folders
    .map((folder) => ({ folder, group: mutants.filter((mutant) => mutant.folder === folder) }))
    .filter(({ group }) => group.length > 0)
    .map(({ folder, group }) => rowOf(`\`${folder}\``, group).row);
  const unnoticed = mutants.filter(({ id }) => verdicts.get(id)?.outcome !== 'killed');
  const text = [
    `| folder | mutants | ${outcomes.join(' | ')} | score |`,
    `|${'---|'.repeat(outcomes.length + 3)}`,
    ...rows,
    all.row,
    '',
    ...unnoticed.map((mutant) => `${verdicts.get(mutant.id)?.outcome}: ${shown(mutant)}`),
  ].join('\n');
  return { text, score: all.score };
}

const shown = ({ id, path, line, operator, original, text }: Mutant): string =>
  `${path}:${line} ${operator} ${id}: \`${original.replace(/\s+/g, ' ')}\` → \`${text}\``;
