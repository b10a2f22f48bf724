/** Keeps the latest run of each section: a page per type of processor, and the goals of all of them next to each other in README.md. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Goal, Measured } from './goals.ts';
import { table } from './table.ts';

export interface Run {
  readonly section: string;
  /** As the system names it, such as "Intel(R) Xeon(R) Processor @ 2.90GHz". */
  readonly processor: string;
  /** How it ran: versions, cores, load, date. */
  readonly machine: string;
  readonly measured: Measured;
}

/** "Intel Xeon": what processors of one type have in common. */
export const typeOf = (processor: string): string =>
  processor
    .replace(/\((R|TM)\)/gi, '')
    .replace(/@.*$/, '')
    .replace(/\b(CPU|Processor)\b/gi, '')
    .replace(/\s+/g, ' ')
    .trim() || 'unknown';

/** Writes a run into `directory`; what other types of processors and other sections found stays. `order`: the sections' names. */
export function keep(
  directory: string,
  { section, processor, machine, measured }: Run,
  order: readonly string[],
): void {
  const type = typeOf(processor);
  const name = `${type.toLowerCase().replace(/[^a-z0-9]+/g, '-')}.md`;
  mkdirSync(join(directory, 'results'), { recursive: true });
  const page = join(directory, 'results', name);
  const sections = existsSync(page) ? sectionsOf(readFileSync(page, 'utf8')) : new Map<string, string>();
  sections.set(section, `\n## ${section}\n\n${machine}\n\n${measured.text}\n\n`);
  const known = order.filter((one) => sections.has(one));
  const body = known.map((one) => `<!-- ${one} -->${sections.get(one)}<!-- end of ${one} -->\n`).join('\n');
  const intro = `# ${type}\n\nThe latest run of each section on this type of processor. [The benchmark’s page](../README.md) says what the columns are.\n`;
  writeFileSync(page, `${intro}\n${body}`);
  if (measured.goals.length > 0) keepGoals(join(directory, 'README.md'), { section, type, name, measured }, order);
}

const sectionsOf = (page: string): Map<string, string> =>
  new Map(
    [...page.matchAll(/<!-- (\S+) -->([\s\S]*?)<!-- end of \1 -->/g)].map(([, name = '', text = '']) => [name, text]),
  );

const [from, to] = ['<!-- goals -->\n', '<!-- end of goals -->'];

/** The table of goals: a row per goal, a column per type of processor. */
function keepGoals(
  file: string,
  { section, type, name, measured }: { section: string; type: string; name: string; measured: Measured },
  order: readonly string[],
): void {
  const page = readFileSync(file, 'utf8');
  const [start, end] = [page.indexOf(from), page.indexOf(to)];
  if (start === -1 || end === -1) throw new Error('bench/README.md has no table of goals.');
  const [heads = [], , ...rows] = page
    .slice(start + from.length, end)
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) =>
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    );
  const columns = heads.slice(3);
  const column = `[${type}](results/${name})`;
  if (!columns.includes(column)) columns.push(column);
  const others = (goal: Goal): readonly string[] =>
    rows.find(([of, what]) => of === section && what === goal.name)?.slice(3) ?? [];
  const mine = measured.goals.map((goal) => {
    const cells = columns.map((one, at) => (one === column ? cellOf(goal) : (others(goal)[at] ?? '')));
    return [section, goal.name, goal.target, ...cells];
  });
  const rest = rows
    .filter(([of]) => of !== section)
    .map((row) => [...row, ...Array.from({ length: columns.length + 3 - row.length }, () => '')]);
  const all = [...rest, ...mine].toSorted(([a = ''], [b = '']) => order.indexOf(a) - order.indexOf(b));
  const made = table(['section', 'goal', 'target', ...columns], all);
  writeFileSync(file, `${page.slice(0, start + from.length)}\n${made}\n${page.slice(end)}`);
}

const cellOf = ({ figure, met }: Goal): string => (met ? figure : `**${figure}**`);
