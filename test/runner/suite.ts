/** Runs test files in a few processes, one file after the other in each, so that a process loads and compiles the program once. */
import { type ChildProcess, fork } from 'node:child_process';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import { Readable, type Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { spec } from 'node:test/reporters';
import { type FileEvent, type FromProcess, failure, restored } from './events.ts';

export interface Suite {
  /** Paths from the root of the project. */
  readonly files: readonly string[];
  readonly processes: number;
  readonly env?: Readonly<Record<string, string>>;
  readonly testTimeoutMs: number;
  /** How long a file may be silent, when that is not twice as long. */
  readonly silenceMs?: number;
  readonly output?: Writable;
}

export interface FileTime {
  readonly file: string;
  readonly ms: number;
  /** On Linux with that of the processes that its tests started and that ended. */
  readonly cpuMs: number;
}

export interface SuiteResult {
  readonly passed: boolean;
  readonly times: readonly FileTime[];
}

const root = resolve(import.meta.dirname, '../..');
const cache = join(root, 'node_modules/.cache/colophon-tests');

/** Prints what node:test prints, with its counts at the end. */
export async function runSuite(suite: Suite): Promise<SuiteResult> {
  const began = performance.now();
  const weights = readWeights();
  const weightOf = (file: string): number => weights[file] ?? statSync(resolve(root, file)).size / 10;
  const queue = [...suite.files].sort((a, b) => weightOf(b) - weightOf(a));
  const printed = new Readable({ objectMode: true, read() {} });
  const output = printed.compose(new spec());
  output.pipe(suite.output ?? process.stdout, { end: false });
  const counts: Record<string, number> = { tests: 0, suites: 0, pass: 0, fail: 0, skipped: 0, todo: 0 };
  const times: FileTime[] = [];
  const print = ({ events, file, ms, cpuMs }: Outcome): void => {
    for (const event of events) {
      for (const name of countsOf(event)) counts[name] = (counts[name] ?? 0) + 1;
      printed.push(event);
    }
    times.push({ file, ms, cpuMs });
    if (!isAbsolute(file)) weights[file] = Math.round(ms);
  };
  await Promise.all(Array.from({ length: suite.processes }, () => runLane(queue, suite, print)));
  const totals = { files: times.length, ...counts, duration_ms: Math.round(performance.now() - began) };
  for (const [name, number] of Object.entries(totals)) {
    printed.push({ type: 'test:diagnostic', data: { nesting: 0, message: `${name} ${number}`, level: 'info' } });
  }
  printed.push(null);
  await finished(output, { writable: false });
  mkdirSync(cache, { recursive: true });
  writeFileSync(weightsFile, JSON.stringify(weights));
  return { passed: counts.fail === 0 && (counts.tests ?? 0) > 0, times };
}

interface Outcome extends FileTime {
  readonly events: readonly FileEvent[];
  /** Whether the process can run no other file. */
  readonly isProcessSpent: boolean;
  readonly hasTests: boolean;
}

/** A file that takes its process down has failed, and the next gets a new process. */
async function runLane(queue: string[], suite: Suite, print: (outcome: Outcome) => void): Promise<void> {
  let child: ChildProcess | null = null;
  for (let file = queue.shift(); file !== undefined; file = queue.shift()) {
    child ??= startProcess(suite);
    const silenceMs = suite.silenceMs ?? 2 * suite.testTimeoutMs;
    let outcome = await runFile(child, file, silenceMs);
    // Now and then node:test loses the tests that a file registers after it has awaited something, where other files ran before.
    if (!outcome.hasTests) {
      child = startProcess(suite);
      outcome = await runFile(child, file, silenceMs);
    }
    print(outcome);
    if (outcome.isProcessSpent) child = null;
  }
  child?.kill('SIGKILL');
}

function startProcess({ env, testTimeoutMs }: Suite): ChildProcess {
  const execArgv = ['--import', new URL('../support/compile-cache.js', import.meta.url).href];
  execArgv.push(`--test-timeout=${testTimeoutMs}`);
  return fork(join(import.meta.dirname, 'process.ts'), {
    cwd: root,
    env: { ...process.env, ...env },
    execArgv,
    serialization: 'advanced',
  });
}

/** `silenceMs`: how long nothing may be heard of it before it counts as hanging. */
async function runFile(child: ChildProcess, file: string, silenceMs: number): Promise<Outcome> {
  const began = performance.now();
  const events: FileEvent[] = [];
  const { cpuMs, fault } = await new Promise<{ cpuMs: number; fault: string | null }>((resolve) => {
    let silence: NodeJS.Timeout | undefined;
    const end = (fault: string | null, cpuMs = 0): void => {
      clearTimeout(silence);
      child.off('message', hear);
      child.off('exit', leave);
      if (fault !== null) child.kill('SIGKILL');
      resolve({ fault, cpuMs });
    };
    const wait = (): void => {
      clearTimeout(silence);
      silence = setTimeout(() => {
        child.send('what is left');
        silence = setTimeout(() => end('It did not end, and did not respond.'), 10_000);
      }, silenceMs);
    };
    const hear = (message: FromProcess): void => {
      if ('event' in message) {
        events.push(restored(message.event));
        wait();
      } else if ('left' in message) end(`It did not end: ${message.left.join(', ')} kept it running.`);
      else end(faultOf(file, message.ended.success, events), message.ended.cpuMs);
    };
    const leave = (code: number | null, signal: string | null): void =>
      end(`Its process ended with ${signal ?? code}.`);
    child.on('message', hear);
    child.on('exit', leave);
    wait();
    child.send({ file });
  });
  if (fault !== null) events.push(failureOf(file, fault));
  const hasTests = fault !== noTests;
  return { file, events, cpuMs, ms: performance.now() - began, isProcessSpent: fault !== null, hasTests };
}

/** What is wrong with a file that came to its end; its failed tests are reported by themselves. */
function faultOf(file: string, success: boolean, events: readonly FileEvent[]): string | null {
  if (events.some(({ type }) => type === 'test:fail')) return null;
  if (!success) return 'An error came after its tests.';
  // For node:test a file in which nothing is registered is a test that passes, with the path as its name.
  const isTest = ({ type, data }: FileEvent): boolean => type === 'test:pass' && data.name !== resolve(root, file);
  return events.some(isTest) ? null : noTests;
}

const noTests = 'It has no tests, or registers them too late.';

const failureOf = (file: string, text: string): FileEvent => ({
  type: 'test:fail',
  data: {
    name: file,
    nesting: 0,
    file: resolve(root, file),
    line: 1,
    column: 1,
    details: { duration_ms: 0, error: failure({ failureType: 'testCodeFailure', text }) },
  },
});

function countsOf({ type, data }: FileEvent): string[] {
  if (type !== 'test:pass' && type !== 'test:fail') return [];
  if (data.details.type === 'suite')
    return type === 'test:fail' && data.details.error.failureType !== 'subtestsFailed' ? ['fail'] : ['suites'];
  const passed = type === 'test:pass' ? 'pass' : 'fail';
  return ['tests', data.skip !== undefined ? 'skipped' : data.todo !== undefined ? 'todo' : passed];
}

const weightsFile = join(cache, 'weights.json');

/** How long each file took the last time, in milliseconds: the long ones begin first. */
function readWeights(): Record<string, number> {
  try {
    return JSON.parse(readFileSync(weightsFile, 'utf8'));
  } catch {
    return {};
  }
}
