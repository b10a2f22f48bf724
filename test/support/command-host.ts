/** Runs commands one after the other in one process, so that the program is loaded only once: see `runColophon` in command.ts. */
import { main } from '../../src/main.ts';

/** A run of the command `colophon`; `args` are its arguments. */
export interface HostedCommand {
  readonly args: readonly string[];
  /** The whole environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

/** The outcome of a command. */
export interface HostedResult {
  /** The exit code, which is not 0 for a command that threw; `stderr` has the message then. */
  readonly code: number;
  /** The standard output. */
  readonly stdout: string;
  /** The standard error. */
  readonly stderr: string;
}

let texts = { stdout: '', stderr: '' };
for (const name of ['stdout', 'stderr'] as const) {
  process[name].write = (chunk: unknown) => {
    texts[name] += String(chunk);
    return true;
  };
}

process.on('message', ({ args, env, cwd }: HostedCommand) => {
  // Without a reference to the channel, `beforeExit` occurs once the command has no work left, as in a process of its own.
  process.channel?.unref();
  process.chdir(cwd);
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  Object.assign(process.env, env);
  texts = { stdout: '', stderr: '' };
  void main(args);
});

process.on('beforeExit', () => {
  if (!process.connected) return;
  process.channel?.ref();
  process.stdout.removeAllListeners('error');
  const result: HostedResult = { code: Number(process.exitCode ?? 0), ...texts };
  process.exitCode = undefined;
  process.send?.(result);
});
process.on('disconnect', () => process.exit());
