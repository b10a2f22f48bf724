/** Runs the real command as a child process, with the Node that runs the tests. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';

const repository = resolve(import.meta.dirname, '../../bin/colophon.js');

export interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly error: string;
}

export interface CommandOptions {
  readonly env?: Record<string, string>;
  /** The folder that it is called in. */
  readonly cwd?: string;
  /** Another copy of it than the repository's. */
  readonly program?: string;
}

/** Runs it to its end. */
export async function colophon(words: readonly string[], options: CommandOptions = {}): Promise<Ran> {
  const running = startColophon(words, options);
  const code = await running.ended;
  return { code, out: running.out(), error: running.error() };
}

export interface RunningCommand {
  readonly child: ChildProcess;
  readonly ended: Promise<number | null>;
  out(): string;
  error(): string;
  /** The first match in standard output; rejects when the command ends before. */
  says(pattern: RegExp): Promise<RegExpExecArray>;
  complains(pattern: RegExp): Promise<RegExpExecArray>;
}

/** Nothing of the test's own environment but what a program needs to run. */
export function startColophon(words: readonly string[], options: CommandOptions = {}): RunningCommand {
  const { env = {}, cwd, program = repository } = options;
  const { PATH = '', HOME = '', TMPDIR = '/tmp' } = process.env;
  const child = spawn(process.execPath, [program, ...words], {
    env: { PATH, HOME, TMPDIR, ADMIN_PORT: 'off', PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
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
