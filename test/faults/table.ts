/** The fault table: where the tests of a row are, what a run says of them, and the table as markdown. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

export interface FaultRow {
  readonly number: number;
  readonly fault: string;
  readonly expected: string;
  /**
   * `FILE > TITLE`: a file of `test/` without `.test.ts`, and the title of a test or suite in it, with `…` for each part
   * that is computed. Empty only when `leftOut` says why.
   */
  readonly tests: readonly string[];
  /** What of the row is not tested here, and why. */
  readonly leftOut?: string;
}

export interface TestReference {
  /** From the project's folder on. */
  readonly file: string;
  readonly title: string;
}

/** A test or suite that ended. */
export interface TestOutcome {
  /** From the project's folder on; a file that other tests share, when the test is defined there. */
  readonly file: string;
  readonly title: string;
  readonly passed: boolean;
  /** Why it was skipped; null: it was not. */
  readonly skipped: string | null;
}

export interface Measured {
  readonly row: number;
  readonly text: string;
}

export const projectFolder = resolve(import.meta.dirname, '../..');
export const page = join(projectFolder, 'docs/faults.md');

export function referenceOf(text: string): TestReference {
  const cut = text.indexOf(' > ');
  return { file: `test/${text.slice(0, cut)}.test.ts`, title: text.slice(cut + 3) };
}

/** The titles of tests and suites in a file and in what it shares with others, computed parts as `…`. */
export function titlesIn(file: string): string[] {
  const path = join(projectFolder, file);
  if (!existsSync(path)) return [];
  const source = readFileSync(path, 'utf8');
  const own = [
    ...source.matchAll(/\b(?:it|test|describe)\(\s*(?:'((?:\\.|[^'\\])*)'|"([^"]*)"|`((?:\\.|[^`\\])*)`)/g),
  ].map(([, single, double, template]) =>
    (single ?? double ?? template ?? '').replace(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, '…').replace(/\\(.)/g, '$1'),
  );
  const shared = [...source.matchAll(/from '\.\/(contract[\w-]*)\.ts'/g)].map(([, name]) =>
    join(dirname(file), `${name}.ts`),
  );
  return [...own, ...shared.flatMap(titlesIn)];
}

/** What a run says of a row: `passed`, `failed: …` or `not run: …`, then what was measured. */
export function resultOf(row: FaultRow, outcomes: readonly TestOutcome[], measured: readonly Measured[]): string {
  if (row.tests.length === 0) return `left out: ${row.leftOut}`;
  const failures: string[] = [];
  const skips = new Set<string>();
  let passed = 0;
  for (const text of row.tests) {
    const { file, title } = referenceOf(text);
    const pattern = new RegExp(`^${title.split('…').map(escapePattern).join('[^]*')}$`);
    const found = outcomes.filter(
      (outcome) => (outcome.file === file || !outcome.file.endsWith('.test.ts')) && pattern.test(outcome.title),
    );
    if (found.length === 0) failures.push(`${text} did not run`);
    for (const outcome of found) {
      if (outcome.skipped !== null) skips.add(outcome.skipped.replace(/^not run: /, ''));
      else if (outcome.passed) passed += 1;
      else failures.push(`${text}`);
    }
  }
  const figures = measured.filter((one) => one.row === row.number).map(({ text }) => text);
  if (failures.length > 0) return `failed: ${failures.join('; ')}`;
  const not = skips.size > 0 ? `not run: ${[...skips].join('; ')}` : '';
  if (passed === 0) return not;
  return ['passed', ...figures, not].filter((part) => part !== '').join('; ');
}

const escapePattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** How many rows there are of each kind. */
export function totalsOf(results: readonly string[]): string {
  const count = (pattern: RegExp): number => results.filter((result) => pattern.test(result)).length;
  const inPart = count(/^passed.*; not run: /);
  return `${results.length} rows: ${count(/^passed/)} passed${inPart > 0 ? ` (${inPart} only in part)` : ''}, ${count(/^failed/)} failed, ${count(/^not run/)} not run, ${count(/^left out/)} left out.`;
}

/** One line of the table. */
export function tableLine(row: FaultRow, result: string): string {
  const tests = row.tests.map((text) => {
    const { file, title } = referenceOf(text);
    return `[${file.slice(5, -8)}](../${file}): ${code(title)}`;
  });
  if (row.leftOut !== undefined && tests.length > 0) tests.push(`left out: ${row.leftOut}`);
  return `| ${[row.number, row.fault, row.expected, tests.join('<br>') || '-', result].map(cell).join(' | ')} |`;
}

/** A title is a test's name, and may contain backquotes. */
const code = (title: string): string => (title.includes('`') ? `\`\` ${title} \`\`` : `\`${title}\``);

const cell = (value: string | number): string => String(value).replaceAll('|', '\\|').replaceAll('\n', ' ');

const marks = { start: '<!-- table: npm run test:faults writes it -->', end: '<!-- end of the table -->' };

/** What the soak's diagnostic begins with; a list of minutes follows: the minute, MB resident, open files, MB of the write-ahead log. */
export const curveMark = 'curve of the soak: ';
const curveMarks = { start: '<!-- curve: the soak writes it -->', end: '<!-- end of the curve -->' };

/** The page with this curve as text, a line for each minute. */
export function withCurve(text: string, minutes: readonly (readonly number[])[]): string {
  const widest = Math.max(...minutes.map(([, mb = 0]) => mb));
  const lines = minutes.map(([minute = 0, mb = 0, files = 0, wal = 0]) => {
    const figures = [minute, mb, files, wal.toFixed(1)].map((figure) => String(figure).padStart(6)).join(' ');
    return `${figures}  ${'#'.repeat(Math.round((mb / widest) * 50))}`;
  });
  const [start, end] = [text.indexOf(curveMarks.start) + curveMarks.start.length, text.indexOf(curveMarks.end)];
  return `${text.slice(0, start)}\n\n\`\`\`text\nminute    MB  files WAL MB\n${lines.join('\n')}\n\`\`\`\n\n${text.slice(end)}`;
}

const head = '| # | fault | expected | tests | result |\n|---|---|---|---|---|';

/** The results that the page has, by the number of the row. */
export function writtenResults(text: string): Map<number, string> {
  const results = new Map<number, string>();
  for (const line of tableOf(text)) {
    const cells = line.split(/(?<!\\)\|/).map((part) => part.trim().replaceAll('\\|', '|'));
    results.set(Number(cells[1]), cells[5] ?? '');
  }
  return results;
}

/** The lines of the page's table, without its head. */
export function tableOf(text: string): string[] {
  const between = text.slice(text.indexOf(marks.start), text.indexOf(marks.end));
  return between.split('\n').filter((line) => /^\| \d/.test(line));
}

/** The page with these results; a row without one keeps what it had. */
export function withResults(text: string, rows: readonly FaultRow[], results: ReadonlyMap<number, string>): string {
  const before = writtenResults(text);
  const after = rows.map((row) => results.get(row.number) ?? before.get(row.number) ?? 'not run yet');
  const lines = rows.map((row, index) => tableLine(row, after[index] ?? ''));
  const [start, end] = [text.indexOf(marks.start) + marks.start.length, text.indexOf(marks.end)];
  return `${text.slice(0, start)}\n\n${head}\n${lines.join('\n')}\n\n${totalsOf(after)}\n\n${text.slice(end)}`;
}
