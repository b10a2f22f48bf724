/** What a command is, and how its words are read: unknown options and missing values name the fix. */
import { parseArgs } from 'node:util';
import { didYouMean, nearMisses } from '../base/near-miss.ts';
import type { ExitCode } from './exit-codes.ts';
import type { Terminal } from './terminal.ts';

export interface Option {
  /** What the value is called in the help; a flag has none. */
  readonly value?: string;
  readonly choices?: readonly string[];
  readonly help: string;
}

export interface Command {
  /** One word, or two such as `feed verify`. */
  readonly name: string;
  readonly summary: string;
  /** The one argument that it takes. */
  readonly argument?: { readonly name: string; readonly help: string; readonly required?: boolean };
  readonly options: Readonly<Record<string, Option>>;
  /** Paragraphs below the options in its help. */
  readonly details?: string;
  run(invocation: Invocation): Promise<ExitCode>;
}

export interface Invocation {
  readonly argument: string | null;
  flag(name: string): boolean;
  value(name: string): string | null;
  readonly terminal: Terminal;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The folder that the command was called in. */
  readonly directory: string;
}

/** The command was called wrongly; the message says how to call it. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}

/** Throws UsageError for whatever the command does not take. */
export function readWords(command: Command, words: readonly string[]): Pick<Invocation, 'argument' | 'flag' | 'value'> {
  const flags = new Set<string>();
  const values = new Map<string, string>();
  const options = Object.fromEntries(
    Object.entries(command.options).map(([name, { value }]) => [
      name,
      { type: value === undefined ? ('boolean' as const) : ('string' as const) },
    ]),
  );
  const { tokens, positionals } = parseArgs({
    args: [...words],
    options,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const option = command.options[token.name];
    if (option === undefined) throw unknownOption(command, token.rawName);
    if (option.value === undefined) {
      if (token.value !== undefined) throw new UsageError(`--${token.name} takes no value.`);
      flags.add(token.name);
    } else values.set(token.name, checked(token.name, option, token.value));
  }
  const [argument, ...more] = positionals;
  if (more.length > 0 || (argument !== undefined && command.argument === undefined)) {
    throw new UsageError(`\`${more[0] ?? argument}\` is an unexpected argument.`);
  }
  if (argument === undefined && command.argument?.required) {
    throw new UsageError(`${command.argument.name} is missing: ${command.argument.help}`);
  }
  return { argument: argument ?? null, flag: (name) => flags.has(name), value: (name) => values.get(name) ?? null };
}

function checked(name: string, { value: placeholder, choices }: Option, value: string | undefined): string {
  if (value === undefined || value === '') throw new UsageError(`--${name} needs a value: --${name} ${placeholder}`);
  if (choices === undefined || choices.includes(value)) return value;
  throw new UsageError(
    `--${name} must be one of ${choices.join(', ')}; it is \`${value}\`.${didYouMean(nearMisses(value, choices))}`,
  );
}

function unknownOption(command: Command, written: string): UsageError {
  const known = [...Object.keys(command.options), 'help'].map((name) => `--${name}`);
  return new UsageError(
    `\`colophon ${command.name}\` has no option ${written}.${didYouMean(nearMisses(written, known))}`,
  );
}
