/**
 * Runs test files in a few processes, one file after the other in each. A process loads and compiles the program once, so this takes
 * three minutes less than a process for each file. A test file must not use `await` outside of functions: node:test may lose what it registers
 * afterwards in a process that ran other files.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';

interface Suite {
  /** Paths from the root of the project. */
  readonly files: readonly string[];
  readonly processes: number;
  readonly env?: Readonly<Record<string, string>>;
  /** How long a test may take, in milliseconds. A file may take twice as long. */
  readonly testTimeoutMs: number;
}

interface Result {
  readonly counts: Readonly<Record<string, number>>;
  readonly passed: boolean;
  /** The output of the reporter. */
  readonly text: string;
}

const root = resolve(import.meta.dirname, '..');

/** Runs the files, the largest first, and prints each one's results. Returns whether every file has tests and all of them passed. */
export async function runSuite(suite: Suite): Promise<boolean> {
  const computeSize = (file: string): number => statSync(resolve(root, file)).size;
  const queue = suite.files.toSorted((a, b) => computeSize(b) - computeSize(a));
  const totals: Record<string, number> = { tests: 0, passed: 0, failed: 0, skipped: 0 };
  const failures: string[] = [];
  const startedAt = performance.now();
  const runQueue = async (): Promise<void> => {
    let child: ChildProcess | null = null;
    for (let file = queue.shift(); file !== undefined; file = queue.shift()) {
      child ??= startProcess(suite);
      const result = await runIn(child, file, suite);
      process.stdout.write(result.text);
      for (const name of Object.keys(totals)) totals[name] = (totals[name] ?? 0) + (result.counts[name] ?? 0);
      if (result.passed) continue;
      failures.push(file);
      child.kill('SIGKILL');
      child = null;
    }
    child?.kill('SIGKILL');
  };
  await Promise.all(Array.from({ length: suite.processes }, runQueue));
  const { tests, passed, failed, skipped } = totals;
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  const lines = { tests, pass: passed, fail: Math.max(failed ?? 0, failures.length), skipped, seconds };
  for (const [name, count] of Object.entries(lines)) process.stdout.write(`ℹ ${name} ${count}\n`);
  for (const file of failures) process.stdout.write(`✖ ${file}\n`);
  return failures.length === 0 && (tests ?? 0) > 0;
}

function startProcess({ env, testTimeoutMs }: Suite): ChildProcess {
  const compileCache = new URL('./support/compile-cache.js', import.meta.url).href;
  const execArgv = ['--import', compileCache, `--test-timeout=${testTimeoutMs}`];
  return fork(import.meta.filename, { cwd: root, env: { ...process.env, ...env }, execArgv });
}

function runIn(child: ChildProcess, file: string, { testTimeoutMs }: Suite): Promise<Result> {
  return new Promise((settle) => {
    const fail = (reason: string): void =>
      end({ counts: { failed: 1 }, passed: false, text: `✖ ${file}: ${reason}\n` });
    let timer = setTimeout(() => {
      // A file that waits for something can still report its tests.
      child.send('report');
      timer = setTimeout(() => fail('it does not end.'), 5000);
    }, 2 * testTimeoutMs);
    const onExit = (code: number | null, signal: string | null): void =>
      fail(`its process ended with ${signal ?? code}.`);
    const end = (result: Result): void => {
      clearTimeout(timer);
      child.off('message', end).off('exit', onExit);
      settle(result);
    };
    child.on('message', end).on('exit', onExit).send(file);
  });
}

/** Sends the results so far of the file that is running to the process that started this one. Does nothing until `runHere` sets it. */
let report = (): void => {};

/**
 * Runs a test file in this process, and sends its results to the process that started this one. The file ends when nothing that it
 * started is left in the event loop.
 */
function runHere(file: string): void {
  process.channel?.unref();
  const reporter = new spec();
  let text = '';
  reporter.on('data', (chunk) => {
    text += chunk;
  });
  const counts = { tests: 0, passed: 0, failed: 0, skipped: 0 };
  report = () => void process.send?.({ counts, passed: false, text: `${text}✖ ${file}: it does not end.\n` });
  run({ files: [file], isolation: 'none' }).on('data', (event) => {
    const { type, data } = event;
    // A file without tests counts as one test whose name is its path.
    const isResult = (type === 'test:pass' || type === 'test:fail') && data.name !== file;
    if (isResult && data.details.type !== 'suite') {
      counts.tests += 1;
      counts[data.skip !== undefined ? 'skipped' : type === 'test:pass' ? 'passed' : 'failed'] += 1;
    }
    if (type === 'test:summary') {
      process.channel?.ref();
      const passed = data.success && counts.tests > 0;
      if (data.success && counts.tests === 0) text += `✖ ${file}: it registers no test.\n`;
      // The root of the file's tests removes its listeners from the process after it has reported.
      const send = (): void => void process.send?.({ counts, passed, text });
      reporter.on('end', () => setImmediate(send)).end();
    } else if (type !== 'test:diagnostic' || !countLine.test(data.message)) reporter.write(event);
  });
}

/** A line with a file's count, which the totals replace. */
const countLine = /^(tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) [\d.]+$/;

if (import.meta.main && process.send !== undefined)
  process.on('message', (file) => {
    if (file === 'report') report();
    else runHere(resolve(String(file)));
  });
