/** The parts of a command: its help as data, the function that runs it, and the exit codes. */
import { type Argument, Option } from 'commander';
import type { Terminal } from './terminal.ts';

/** Exit codes as in sysexits.h, which scripts and process managers use. */
export const exitCodes = {
  done: 0,
  /** The operation or a check failed. */
  failed: 1,
  /** EX_USAGE: an unknown or missing command, option or argument. */
  usage: 64,
  /** EX_CONFIG: settings or content are invalid; trying again changes nothing. */
  configuration: 78,
} as const;

/**
 * The code that a command ends with: 0 for success, 1 if the operation or a check failed, 64 for an unusable call, and 78 for
 * invalid settings or content.
 */
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** A command of the command line. */
export interface Command {
  /** One word, or two such as `feed verify`. */
  readonly name: string;
  readonly summary: string;
  /** The only argument; absent if the command takes none. */
  readonly argument?: Argument;
  readonly options?: readonly Option[];
  /** Paragraphs below the options in the help. */
  readonly details?: string;
  /** Runs the command. Rejects with UsageError for an argument or option that it cannot use. */
  run(invocation: Invocation): Promise<ExitCode>;
}

/** The terminal, the environment and the folder that a command runs in. */
export interface Surroundings {
  readonly terminal: Terminal;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute path of the folder in which the command was called. */
  readonly directory: string;
}

/** A call of a command: its argument and options, and where it runs. */
export interface Invocation extends Surroundings {
  /** The argument, or null if none was given. */
  readonly argument: string | null;
  /** Returns whether the option `name`, without its dashes, was given. */
  flag(name: string): boolean;
  /** Returns the value of the option `name`, or null if it was not given. Throws UsageError for an empty value. */
  value(name: string): string | null;
}

/** The option of commands whose result another program may read. */
export const jsonOption = new Option('--json', 'Print JSON.');

/** A command was called with arguments that it cannot use; the message says how to call it. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
