/** Runs one test by its title, and says how it ended. */
import { spawn } from 'node:child_process';
import { referenceOf } from '../faults/table.ts';

/** `broken`: it did not run, or it was its surroundings that failed. */
export type Verdict = 'passed' | 'failed' | 'skipped' | 'timed out' | 'broken';

export interface Trial {
  readonly verdict: Verdict;
  /** The end of what the run printed. */
  readonly said: string;
}

/** In the copy of the repository at `directory`. */
export function tryTest(directory: string, test: string, limitMs: number): Promise<Trial> {
  const { file, title } = referenceOf(test);
  const pattern = title.split('…').map(escapePattern).join('.*');
  const child = spawn(
    process.execPath,
    [
      '--import',
      './test/support/compile-cache.js',
      '--test-reporter=tap',
      '--test-timeout=60000',
      `--test-name-pattern=/^${pattern}$/`,
      file,
    ],
    // A separate process group: what the test started ends with it.
    { cwd: directory, stdio: ['ignore', 'pipe', 'pipe'], detached: process.platform !== 'win32' },
  );
  const end = (): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    } catch {
      child.kill('SIGKILL');
    }
  };
  return new Promise((resolve, reject) => {
    let said = '';
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      end();
    }, limitMs);
    const keep = (chunk: Buffer): void => {
      said += chunk.toString();
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.on('error', reject);
    child.on('close', () => {
      clearTimeout(timer);
      end();
      resolve({ verdict: late ? 'timed out' : verdictIn(said, title), said: said.slice(-4000) });
    });
  });
}

/** Of all tests of that title. One that waits for what no longer comes has failed; a suite that fails before its tests is no failure of them. */
function verdictIn(said: string, title: string): Verdict {
  const name = title.split('…').map(escapePattern).join('.*');
  const result = new RegExp(
    `^ *(not ok|ok) \\d+ - ${name.replaceAll('#', '\\\\?#')}( # SKIP.*)?\\n( +---\\n[^]*?\\n +\\.\\.\\.\\n)?`,
    'gm',
  );
  const results = [...said.matchAll(result)];
  if (results.length === 0) return 'broken';
  const failed = results.filter(([, outcome]) => outcome === 'not ok');
  if (failed.length > 0)
    return failed.some(([, , , details = '']) => /testCodeFailure|testTimeoutFailure/.test(details))
      ? 'failed'
      : 'broken';
  return results.every(([, , skip]) => skip !== undefined) ? 'skipped' : 'passed';
}

const escapePattern = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
