/** The command line's entry: runs a command and ends with its exit code; errors become messages that name the fix. */
import { getMessage } from './base/thrown.ts';
import { type ExitCode, exitCodes } from './cli/command.ts';
import { runProgram } from './cli/program.ts';
import { createTerminal } from './cli/terminal.ts';
import { ConfigError } from './config/environment.ts';
import { formatFault, toFaultFrom } from './content/fault.ts';
import { ContentError } from './content/source.ts';
import { StoreUnusable } from './store/database.ts';
import { SchemaUnusable } from './store/schema.ts';

/**
 * Runs the command that `args`, the arguments after the program's name, describe, and sets the exit code of the process. Never
 * rejects: the message of an error is printed to standard error.
 */
export async function main(args: readonly string[]): Promise<void> {
  const { env } = process;
  const terminal = createTerminal();
  // The reader of the output may stop early, as `head` does, which is no failure.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
  try {
    process.exitCode = await runProgram(args, { terminal, env, directory: process.cwd() });
  } catch (error) {
    const { text, code } = explain(error);
    terminal.error(`${text}\n`);
    process.exitCode = code;
  }
}

/**
 * Returns the text to print for an error, and the exit code: `configuration` for errors of settings and content, all of which are
 * listed, and for a database whose schema cannot be used, otherwise `failed`. The text for an unknown error has no stack.
 */
function explain(error: unknown): { text: string; code: ExitCode } {
  const { configuration, failed } = exitCodes;
  const message = getMessage(error);
  if (error instanceof ConfigError) return { text: error.faults.join('\n'), code: configuration };
  if (error instanceof ContentError) {
    const faults = error.faults.map((fault) => formatFault(toFaultFrom(process.cwd(), error.directory, fault)));
    return { text: faults.join('\n'), code: configuration };
  }
  if (error instanceof SchemaUnusable) return { text: message, code: configuration };
  if (error instanceof StoreUnusable) return { text: message, code: failed };
  const [code, call] = error instanceof Error ? ['code', 'syscall'].map((name) => Reflect.get(error, name)) : [];
  if (code === 'EADDRINUSE') {
    const port = error instanceof Error ? Reflect.get(error, 'port') : '';
    const fix = 'set PORT, or ADMIN_PORT if it is that one, to a free port';
    return { text: `Port ${port} is in use. Stop the other program, or ${fix}.`, code: failed };
  }
  if (code === 'EACCES' && call === 'listen') {
    return { text: `${message}. This user is not allowed to use ports below 1024: set PORT.`, code: failed };
  }
  return { text: `Colophon failed: ${message}`, code: failed };
}
