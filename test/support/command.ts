/** Runs the real command in a child process, with the Node that runs the tests. */
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import type { Done, Order } from './command-host.ts';

const repository = resolve(import.meta.dirname, '../../bin/colophon.js');

/** The outcome of a command. */
export interface Ran {
  /** The exit code, or null if a signal ended the command. */
  readonly code: number | null;
  /** The standard output. */
  readonly out: string;
  /** The standard error. */
  readonly error: string;
}

/** Options of a command. */
export interface CommandOptions {
  /** Variables in addition to those of every command: PATH, HOME, TMPDIR, a free port and no admin listener. */
  readonly env?: Record<string, string>;
  /** The folder that it is called in. @defaultValue that of this process */
  readonly cwd?: string;
  /** The path of another copy of the command than the repository's. */
  readonly program?: string;
}

/**
 * Runs the command `colophon` with these arguments to its end and returns the outcome, whatever the exit code. Commands other than
 * `serve` and `dev` run one after the other in a process that they share, unless `program` is given. Rejects if that process ends.
 */
export async function colophon(words: readonly string[], options: CommandOptions = {}): Promise<Ran> {
  const { env, cwd = process.cwd(), program } = options;
  if (program === undefined && words[0] !== 'serve' && words[0] !== 'dev') {
    const order = { words, env: createEnvironment(env), cwd };
    const ran = previous.then(() => runInHost(order));
    previous = ran.catch(() => {});
    return await ran;
  }
  const running = startColophon(words, options);
  const code = await running.ended;
  return { code, out: running.out(), error: running.error() };
}

function createEnvironment(env: Record<string, string> = {}): Record<string, string> {
  const { PATH = '', HOME = '', TMPDIR = '/tmp' } = process.env;
  return { PATH, HOME, TMPDIR, ADMIN_PORT: 'off', PORT: '0', ...env };
}

let host: ChildProcess | null = null;
let previous: Promise<unknown> = Promise.resolve();

async function runInHost(order: Order): Promise<Ran> {
  host ??= fork(resolve(import.meta.dirname, 'command-host.ts'));
  const child = host;
  child.ref();
  child.channel?.ref();
  try {
    child.send(order);
    return await new Promise<Ran>((fulfil, reject) => {
      const fail = (code: number | null, signal: string | null): void => {
        host = null;
        reject(new Error(`colophon ${order.words.join(' ')} ended its process with ${signal ?? code}`));
      };
      child.once('exit', fail);
      child.once('message', (done: Done) => {
        child.off('exit', fail);
        fulfil(done);
      });
    });
  } finally {
    // It waits for the next command without keeping the test's process.
    child.unref();
    child.channel?.unref();
  }
}

/** A command that is running. */
export interface RunningCommand {
  readonly child: ChildProcess;
  /** Resolves with the exit code when the command has ended, or null if a signal ended it. Rejects if it cannot be started. */
  readonly ended: Promise<number | null>;
  /** Returns the standard output so far. */
  out(): string;
  /** Returns the standard error so far. */
  error(): string;
  /** Waits for a match in all of standard output so far, and returns the first. Rejects if the command ends before. */
  says(pattern: RegExp): Promise<RegExpExecArray>;
  /** Waits for a match in standard error as `says` does in standard output. */
  complains(pattern: RegExp): Promise<RegExpExecArray>;
}

/** Starts the command `colophon` with these arguments. */
export function startColophon(words: readonly string[], options: CommandOptions = {}): RunningCommand {
  const { env, cwd, program = repository } = options;
  return startProgram(process.execPath, [program, ...words], {
    env: createEnvironment(env),
    ...(cwd !== undefined && { cwd }),
  });
}

/** Options of a program. */
export interface ProgramOptions {
  /** Variables in addition to PATH, HOME and TMPDIR. */
  readonly env?: Record<string, string>;
  /** The folder that it runs in. @defaultValue that of this process */
  readonly cwd?: string;
  /** Whether it leads a process group, which can be signaled as one. @defaultValue false */
  readonly detached?: boolean;
}

/**
 * Starts a program without the test's own environment, apart from what every program needs. `ended` resolves once neither the
 * program nor a child of it holds its output.
 */
export function startProgram(program: string, words: readonly string[], options: ProgramOptions = {}): RunningCommand {
  const { env = {}, cwd, detached = false } = options;
  const { PATH = '', HOME = '', TMPDIR = '/tmp' } = process.env;
  const child = spawn(program, words, {
    env: { PATH, HOME, TMPDIR, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached,
    ...(cwd !== undefined && { cwd }),
  });
  const texts = { out: '', error: '' };
  const watchers = new Set<() => void>();
  const collect = (name: 'out' | 'error') => (chunk: Buffer) => {
    texts[name] += chunk.toString();
    for (const look of watchers) look();
  };
  child.stdout?.on('data', collect('out'));
  child.stderr?.on('data', collect('error'));
  const ended = once(child, 'close').then(([code]) => (typeof code === 'number' ? code : null));
  const waitFor = (name: 'out' | 'error', pattern: RegExp): Promise<RegExpExecArray> =>
    new Promise((fulfil, reject) => {
      const look = (): void => {
        const found = pattern.exec(texts[name]);
        if (found === null) return;
        watchers.delete(look);
        fulfil(found);
      };
      watchers.add(look);
      look();
      void ended.then((code) => reject(new Error(`ended with ${code}:\n${texts.out}\n${texts.error}`)));
    });
  return {
    child,
    ended,
    out: () => texts.out,
    error: () => texts.error,
    says: (pattern) => waitFor('out', pattern),
    complains: (pattern) => waitFor('error', pattern),
  };
}
