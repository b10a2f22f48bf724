/** A copy of the repository that mutants are written into, so that an interruption leaves none in the code. */
import { execFileSync, type SpawnOptions, spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Change } from './mutants.ts';

export interface Workspace {
  readonly directory: string;
  /** Runs one test file on the code as it stands. */
  test(file: string, options: { env?: Record<string, string>; limitMs: number }): Promise<Outcome>;
  /** Makes all of the changes, which do not overlap; the function returned takes them back. */
  change(changes: readonly (Omit<Change, 'operator'> & { path: string })[]): () => void;
  /** Ends what runs in it. */
  remove(): void;
}

/** `failed` as soon as one test has. */
export type Outcome = 'passed' | 'failed' | 'timed out';

/** Where the coverage and the journal are kept: Git ignores it, and `npm ci` leaves it. */
export const stateFolder = (root: string): string => join(root, '.cache/mutation');

/** Copies what Git knows or would take; the packages are those of `root`. */
export function createWorkspace(root: string): Workspace {
  const directory = mkdtempSync(join(tmpdir(), 'colophon-mutation-'));
  const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root });
  for (const file of files.toString().split('\0')) {
    if (file !== '') cpSync(join(root, file), join(directory, file), { force: true });
  }
  symlinkSync(join(root, 'node_modules'), join(directory, 'node_modules'));
  let endTest = () => {};
  return {
    directory,
    test(file, { env = {}, limitMs }) {
      const test = startTest(directory, file, env, limitMs);
      endTest = test.end;
      return test.outcome;
    },
    change(changes) {
      const originals = new Map<string, string>();
      // From the end, so that the offsets of those before stay as they are.
      for (const { path, start, end, text } of [...changes].sort((a, b) => b.start - a.start)) {
        const source = readFileSync(join(directory, path), 'utf8');
        if (!originals.has(path)) originals.set(path, source);
        writeFileSync(join(directory, path), source.slice(0, start) + text + source.slice(end));
      }
      return () => {
        for (const [path, source] of originals) writeFileSync(join(directory, path), source);
      };
    },
    remove() {
      endTest();
      rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** As many at once as there are processors to run them, two at most: a test may start several processes. */
export const mostWorkspaces = Math.min(2, availableParallelism());

function startTest(
  cwd: string,
  file: string,
  env: Record<string, string>,
  limitMs: number,
): { outcome: Promise<Outcome>; end: () => void } {
  const options: SpawnOptions = {
    cwd,
    env: { ...process.env, TEST_CASES: 'all', ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
    // A separate process group: what the test started ends with it.
    detached: process.platform !== 'win32',
  };
  const child = spawn(
    process.execPath,
    ['--import', './test/support/compile-cache.js', '--test-reporter=tap', file],
    options,
  );
  const end = (): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    } catch {
      child.kill('SIGKILL');
    }
  };
  const outcome = new Promise<Outcome>((resolve, reject) => {
    let said = '';
    let early: Outcome | null = null;
    const late = setTimeout(() => {
      early ??= 'timed out';
      end();
    }, limitMs);
    child.stdout?.on('data', (chunk: Buffer) => {
      said = (said + chunk.toString()).slice(-20_000);
      if (!/^\s*not ok /m.test(said)) return;
      early ??= 'failed';
      end();
    });
    child.on('error', reject);
    child.on('close', (code) => {
      clearTimeout(late);
      // What outlives the test, such as a server that it started, would keep the machine busy.
      end();
      resolve(early ?? (code === 0 ? 'passed' : 'failed'));
    });
  });
  return { outcome, end };
}
