/** Runs the command `colophon` in a child process, with the Node that runs the tests, and returns its exit code and output. */
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import type { HostedCommand, HostedResult } from './command-host.ts';

const repositoryProgram = resolve(import.meta.dirname, '../../bin/colophon.js');

/** The outcome of a command. */
export interface CommandResult {
  /** The exit code, or null if a signal ended the command. */
  readonly code: number | null;
  /** The standard output. */
  readonly stdout: string;
  /** The standard error. */
  readonly stderr: string;
}

/** Options of a command. */
export interface CommandOptions {
  /** Variables in addition to those of every command: PATH, HOME, TMPDIR, a free port and no admin listener. */
  readonly env?: Record<string, string>;
  /** The working folder of the command. @defaultValue that of this process */
  readonly cwd?: string;
  /** The path of another copy of the command than the repository's. */
  readonly program?: string;
}

/**
 * Runs the command `colophon` with these arguments to its end and returns the outcome, whatever the exit code. Commands other than
 * `serve` and `dev` run one after the other in a process that they share, unless `program` is given. Rejects if that process ends.
 */
export async function runColophon(args: readonly string[], options: CommandOptions = {}): Promise<CommandResult> {
  const { env, cwd = process.cwd(), program } = options;
  if (program === undefined && args[0] !== 'serve' && args[0] !== 'dev') {
    const command = { args, env: createEnvironment(env), cwd };
    const result = lastCommand.then(() => runInHost(command));
    lastCommand = result.catch(() => {});
    return await result;
  }
  const running = startColophon(args, options);
  const code = await running.exitCode;
  return { code, stdout: running.getStdout(), stderr: running.getStderr() };
}

function createEnvironment(env: Record<string, string> = {}): Record<string, string> {
  const { PATH = '', HOME = '', TMPDIR = '/tmp' } = process.env;
  return { PATH, HOME, TMPDIR, ADMIN_PORT: 'off', PORT: '0', ...env };
}

let hostProcess: ChildProcess | null = null;
let lastCommand: Promise<unknown> = Promise.resolve();

async function runInHost(command: HostedCommand): Promise<CommandResult> {
  hostProcess ??= fork(resolve(import.meta.dirname, 'command-host.ts'));
  const child = hostProcess;
  child.ref();
  child.channel?.ref();
  try {
    child.send(command);
    return await new Promise<CommandResult>((fulfil, reject) => {
      const fail = (code: number | null, signal: string | null): void => {
        hostProcess = null;
        reject(new Error(`colophon ${command.args.join(' ')} ended its process with ${signal ?? code}`));
      };
      child.once('exit', fail);
      child.once('message', (result: HostedResult) => {
        child.off('exit', fail);
        fulfil(result);
      });
    });
  } finally {
    // Without references, the idle host process does not keep the process of the test running.
    child.unref();
    child.channel?.unref();
  }
}

/** A command that is running. */
export interface RunningCommand {
  readonly child: ChildProcess;
  /** Resolves with the exit code when the command has ended, or null if a signal ended it. Rejects if it cannot be started. */
  readonly exitCode: Promise<number | null>;
  /** Returns the standard output so far. */
  getStdout(): string;
  /** Returns the standard error so far. */
  getStderr(): string;
  /** Waits for a match in all of standard output so far, and returns the first. Rejects if the command ends before. */
  waitForOutput(pattern: RegExp): Promise<RegExpExecArray>;
  /** Waits for a match in standard error as `waitForOutput` does in standard output. */
  waitForErrorOutput(pattern: RegExp): Promise<RegExpExecArray>;
}

/** Starts the command `colophon` with these arguments. */
export function startColophon(args: readonly string[], options: CommandOptions = {}): RunningCommand {
  const { env, cwd, program = repositoryProgram } = options;
  return startProgram(process.execPath, [program, ...args], {
    env: createEnvironment(env),
    ...(cwd !== undefined && { cwd }),
  });
}

/** Options of a program. */
export interface ProgramOptions {
  /** Variables in addition to PATH, HOME and TMPDIR. */
  readonly env?: Record<string, string>;
  /** The working folder of the program. @defaultValue that of this process */
  readonly cwd?: string;
  /** Whether it leads a process group, which can be signaled as one. @defaultValue false */
  readonly detached?: boolean;
}

/**
 * Starts a program without the test's own environment, apart from what every program needs. `exitCode` resolves once neither the
 * program nor a child of it has its output open.
 */
export function startProgram(program: string, args: readonly string[], options: ProgramOptions = {}): RunningCommand {
  const { env = {}, cwd, detached = false } = options;
  const { PATH = '', HOME = '', TMPDIR = '/tmp' } = process.env;
  const child = spawn(program, args, {
    env: { PATH, HOME, TMPDIR, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached,
    ...(cwd !== undefined && { cwd }),
  });
  const texts = { stdout: '', stderr: '' };
  const watchers = new Set<() => void>();
  const collect = (name: 'stdout' | 'stderr') => (chunk: Buffer) => {
    texts[name] += chunk.toString();
    for (const checkOutput of watchers) checkOutput();
  };
  child.stdout?.on('data', collect('stdout'));
  child.stderr?.on('data', collect('stderr'));
  const exitCode = once(child, 'close').then(([code]) => (typeof code === 'number' ? code : null));
  const waitFor = (name: 'stdout' | 'stderr', pattern: RegExp): Promise<RegExpExecArray> =>
    new Promise((fulfil, reject) => {
      const checkOutput = (): void => {
        const match = pattern.exec(texts[name]);
        if (match === null) return;
        watchers.delete(checkOutput);
        fulfil(match);
      };
      watchers.add(checkOutput);
      checkOutput();
      void exitCode.then((code) => reject(new Error(`ended with ${code}:\n${texts.stdout}\n${texts.stderr}`)));
    });
  return {
    child,
    exitCode,
    getStdout: () => texts.stdout,
    getStderr: () => texts.stderr,
    waitForOutput: (pattern) => waitFor('stdout', pattern),
    waitForErrorOutput: (pattern) => waitFor('stderr', pattern),
  };
}
