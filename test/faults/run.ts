/** `npm run test:faults`: runs the tests behind the fault table, prints it, and writes the results into docs/faults.md. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { run } from 'node:test';
import { parseArgs } from 'node:util';
import { runClaims } from '../claims/run.ts';
import { faultRows } from './rows.ts';
import {
  curveMark,
  type FaultRow,
  type Measured,
  page,
  projectFolder,
  referenceOf,
  resultOf,
  type TestOutcome,
  totalsOf,
  withCurve,
  withResults,
} from './table.ts';

const usage = `Usage: npm run test:faults -- [--short] [--no-write] [ROW ...]
       npm run test:faults -- claims [WORD ...]

  ROW         A number or a range of the table in docs/faults.md, such as 38 or 41-43; all of it when none is given.
  --short     A soak of one minute instead of twenty, and fewer rounds where rounds are counted.
  --no-write  Leave docs/faults.md as it is.
  claims      Takes each defense of SECURITY.md away in a copy, and its test has to fail; those with one of the words.`;

interface Choice {
  readonly rows: readonly FaultRow[];
  readonly short: boolean;
  readonly write: boolean;
}

const words = process.argv.slice(2);
const choice = readChoice(words);
if (words[0] === 'claims') process.exitCode = (await runClaims(words.slice(1))) ? 0 : 1;
else if (choice === null) {
  console.error(usage);
  process.exitCode = 64;
} else process.exitCode = (await runRows(choice)) ? 0 : 1;

function readChoice(words: string[]): Choice | null {
  try {
    const { values, positionals } = parseArgs({
      args: words,
      allowPositionals: true,
      options: { short: { type: 'boolean' }, 'no-write': { type: 'boolean' } },
    });
    const wanted = new Set<number>();
    for (const word of positionals) {
      const [, first, last = first] = /^(\d{1,2})(?:-(\d{1,2}))?$/.exec(word) ?? [];
      if (first === undefined) return null;
      for (let number = Number(first); number <= Number(last); number += 1) wanted.add(number);
    }
    const rows = wanted.size === 0 ? faultRows : faultRows.filter(({ number }) => wanted.has(number));
    return rows.length === 0 ? null : { rows, short: values.short === true, write: values['no-write'] !== true };
  } catch {
    return null;
  }
}

/** Whether no row failed. */
async function runRows({ rows, short, write }: Choice): Promise<boolean> {
  if (short) process.env.FAULTS_SHORT = '1';
  const files = [...new Set(rows.flatMap(({ tests }) => tests.map((text) => referenceOf(text).file)))].sort();
  const isOwn = (file: string): boolean => file.startsWith('test/faults/');
  const record: Recorded = { outcomes: [], measured: [], curve: null };
  const { outcomes, measured } = record;
  const isLong = (file: string): boolean => /^test\/faults\/soak\./.test(file);
  const isUntimed = (file: string): boolean =>
    /^test\/faults\/(image|minimal|notes|npm|swap|unit|upgrade)\./.test(file);
  const oneByOne = async (some: readonly string[]): Promise<void> => {
    for (const file of some) await runFiles([file], 1, record);
  };
  const own = files.filter((file) => isOwn(file) && !isLong(file));
  // It looks at memory and files, which others on the machine do not change; whoever measures time waits for its end.
  const soaking = oneByOne(files.filter(isLong));
  // What `npm test` runs may run side by side; the others measure, or use the machine up.
  await runFiles(
    files.filter((file) => !isOwn(file)),
    2,
    record,
  );
  await oneByOne(own.filter(isUntimed));
  await soaking;
  await oneByOne(own.filter((file) => !isUntimed(file)));

  const today = new Date().toISOString().slice(0, 10);
  const results = new Map<number, string>();
  for (const row of rows) {
    const result = resultOf(row, outcomes, measured);
    results.set(row.number, result.startsWith('passed') ? result.replace('passed', `passed ${today}`) : result);
  }
  console.log('');
  for (const row of rows)
    console.log(`${String(row.number).padStart(2)}  ${row.fault}\n    ${results.get(row.number)}`);
  console.log(`\n${totalsOf([...results.values()])}`);
  if (write) writeFileSync(page, pageAfter(readFileSync(page, 'utf8'), results, record.curve));
  return ![...results.values()].some((result) => result.startsWith('failed'));
}

interface Recorded {
  readonly outcomes: TestOutcome[];
  readonly measured: Measured[];
  /** Of the soak, minute by minute; null: it did not run, or was short. */
  curve: number[][] | null;
}

function pageAfter(text: string, results: ReadonlyMap<number, string>, curve: Recorded['curve']): string {
  const page = withResults(text, faultRows, results);
  return curve === null ? page : withCurve(page, curve);
}

/** Runs test files and prints how each did; a failure with its reason. */
async function runFiles(files: readonly string[], concurrency: number, record: Recorded): Promise<void> {
  if (files.length === 0) return;
  const began = performance.now();
  const paths = files.map((file) => join(projectFolder, file));
  for await (const { type, data } of run({ files: paths, concurrency, timeout: 3_600_000 })) {
    if (type === 'test:diagnostic') {
      const [, row, text = ''] = /^row (\d+): (.*)$/.exec(data.message) ?? [];
      if (row !== undefined) record.measured.push({ row: Number(row), text });
      if (data.message.startsWith(curveMark)) record.curve = JSON.parse(data.message.slice(curveMark.length));
    }
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    const file = relative(projectFolder, resolve(data.file ?? '')).replaceAll('\\', '/');
    const skipped = data.skip === undefined || data.skip === false ? null : String(data.skip);
    record.outcomes.push({ file, title: data.name, passed: type === 'test:pass', skipped });
    if (type === 'test:fail') console.log(`✗ ${file}: ${data.name}\n${reasonOf(data.details.error)}`);
  }
  const seconds = Math.round((performance.now() - began) / 1000);
  console.log(`${files.length === 1 ? files[0] : `${files.length} files of npm test`}: ${seconds} s`);
}

function reasonOf(error: Error): string {
  const cause = error.cause instanceof Error ? error.cause : error;
  return `${cause.stack ?? cause.message}`.replace(/^/gm, '    ');
}
