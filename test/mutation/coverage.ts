/** Which code each test file runs: measured once a test file by V8, and kept until that file changes. */
import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Workspace } from './workspace.ts';

export interface TestCoverage {
  /** Of the test file, when it was measured. */
  readonly hash: string;
  readonly ms: number;
  /** By source file: its hash when it was measured, and from where to where its text was run. */
  readonly sources: Readonly<Record<string, { readonly hash: string; readonly ranges: readonly [number, number][] }>>;
}

export interface Coverage {
  /** The test files. */
  readonly files: readonly string[];
  /** How long the test file takes, or took before it changed: five seconds until it is measured. */
  msOf(file: string): number;
  isMeasured(file: string): boolean;
  /** Measured when it is first asked for. Null when the test fails without a mutant: then it tells nothing. */
  of(workspace: Workspace, file: string): Promise<TestCoverage | null>;
}

interface Kept {
  /** The code that there was. */
  readonly paths: readonly string[];
  /** By test file. */
  readonly tests: Record<string, TestCoverage>;
}

/**
 * What `store` holds of test files that have not changed since is kept; none of it once a file of `sampled` was not there
 * then. The commands' tests start the whole program again and again: they take long, and are about src/cli.
 */
export function createCoverage(
  { directory }: Workspace,
  { store, paths, sampled }: { store: string; paths: readonly string[]; sampled: readonly string[] },
): Coverage {
  const files = globSync('test/**/*.test.ts', { cwd: directory })
    .filter((file) => !/^test\/(cli|faults|interop|mutation)\//.test(file))
    .sort();
  const none: Kept = { paths, tests: {} };
  const kept: Kept = existsSync(store) ? JSON.parse(readFileSync(store, 'utf8')) : none;
  const known = sampled.every((path) => kept.paths.includes(path)) ? kept : none;
  const measured = new Map<string, Promise<TestCoverage | null>>();
  const tests: Record<string, TestCoverage> = {};
  for (const file of files) {
    const held = known.tests[file];
    if (held === undefined || held.hash !== hashOf({ directory }, file)) continue;
    tests[file] = held;
    measured.set(file, Promise.resolve(held));
  }
  const twice = async (workspace: Workspace, file: string): Promise<TestCoverage | null> => {
    const found = (await measure(workspace, file)) ?? (await measure(workspace, file));
    if (found === null) console.log(`left out, since it fails without a mutant: ${file}`);
    else tests[file] = found;
    writeFileSync(store, JSON.stringify({ paths: known.paths, tests } satisfies Kept));
    return found;
  };
  return {
    files,
    msOf: (file) => tests[file]?.ms ?? known.tests[file]?.ms ?? 5000,
    isMeasured: (file) => tests[file] !== undefined,
    of(workspace, file) {
      const made = measured.get(file) ?? twice(workspace, file);
      measured.set(file, made);
      return made;
    },
  };
}

async function measure(workspace: Workspace, file: string): Promise<TestCoverage | null> {
  const folder = mkdtempSync(join(tmpdir(), 'colophon-coverage-'));
  const start = performance.now();
  const outcome = await workspace.test(file, { env: { NODE_V8_COVERAGE: folder }, limitMs: 600_000 });
  const ms = Math.round(performance.now() - start);
  const painted = new Map<string, Uint8Array>();
  for (const name of readdirSync(folder)) paint(join(folder, name), workspace.directory, painted);
  rmSync(folder, { recursive: true });
  if (outcome !== 'passed') return null;
  const sources = Object.fromEntries(
    [...painted].map(([path, runs]) => [path, { hash: hashOf(workspace, path), ranges: rangesOf(runs) }]),
  );
  return { hash: hashOf(workspace, file), ms, sources };
}

export const hashOf = ({ directory }: Pick<Workspace, 'directory'>, path: string): string =>
  createHash('sha256')
    .update(readFileSync(join(directory, path)))
    .digest('hex')
    .slice(0, 16);

/** Whether the test file runs the code at `offset`; of a file that has changed since, whether it runs any of it. */
export function covers(coverage: TestCoverage, path: string, offset: number, hash: string): boolean {
  const source = coverage.sources[path];
  if (source === undefined) return false;
  return source.hash !== hash || source.ranges.some(([start, end]) => start <= offset && offset < end);
}

interface Range {
  readonly startOffset: number;
  readonly endOffset: number;
  readonly count: number;
}

/** Adds one process's report: an inner range says more than the one around it, and any process counts. */
function paint(report: string, directory: string, painted: Map<string, Uint8Array>): void {
  const result = resultsIn(readFileSync(report, 'utf8'));
  const base = pathToFileURL(`${directory}/`).href;
  for (const { url, functions } of result) {
    if (!url.startsWith(`${base}src/`)) continue;
    const path = fileURLToPath(url)
      .slice(directory.length + 1)
      .replaceAll('\\', '/');
    const ranges = functions
      .flatMap((part) => part.ranges)
      .sort((a, b) => a.startOffset - b.startOffset || b.endOffset - a.endOffset);
    const runs = new Uint8Array(Math.max(0, ...ranges.map(({ endOffset }) => endOffset)));
    for (const { startOffset, endOffset, count } of ranges) runs.fill(count > 0 ? 1 : 0, startOffset, endOffset);
    const before = painted.get(path);
    painted.set(path, before === undefined ? runs : runs.map((run, offset) => run | (before[offset] ?? 0)));
  }
}

interface Script {
  readonly url: string;
  readonly functions: readonly { readonly ranges: readonly Range[] }[];
}

/** None of a report that was only half written, since the test killed the process. */
function resultsIn(report: string): readonly Script[] {
  try {
    return (JSON.parse(report) as { result: Script[] }).result;
  } catch {
    return [];
  }
}

function rangesOf(runs: Uint8Array): [number, number][] {
  const ranges: [number, number][] = [];
  for (let start = runs.indexOf(1); start !== -1; ) {
    const zero = runs.indexOf(0, start);
    const end = zero === -1 ? runs.length : zero;
    ranges.push([start, end]);
    start = runs.indexOf(1, end);
  }
  return ranges;
}
