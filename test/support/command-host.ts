/** Runs commands one after the other in one process, which saves loading the program for each: see `colophon` in command.ts. */
import { main } from '../../src/main.ts';

/** A command to run. */
export interface Order {
  readonly words: readonly string[];
  /** The whole environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

/** The outcome of a command. */
export interface Done {
  /** The exit code, which is not 0 for a command that threw; `error` has the message then. */
  readonly code: number;
  /** The standard output. */
  readonly out: string;
  /** The standard error. */
  readonly error: string;
}

let texts = { out: '', error: '' };
for (const [name, stream] of [['out', process.stdout] as const, ['error', process.stderr] as const]) {
  stream.write = (chunk: unknown) => {
    texts[name] += String(chunk);
    return true;
  };
}

process.on('message', ({ words, env, cwd }: Order) => {
  // A command is over when nothing is left to do, as if it had the process to itself.
  process.channel?.unref();
  process.chdir(cwd);
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  Object.assign(process.env, env);
  texts = { out: '', error: '' };
  void main(words);
});

process.on('beforeExit', () => {
  if (!process.connected) return;
  process.channel?.ref();
  process.stdout.removeAllListeners('error');
  const done: Done = { code: Number(process.exitCode ?? 0), ...texts };
  process.exitCode = undefined;
  process.send?.(done);
});
process.on('disconnect', () => process.exit());
