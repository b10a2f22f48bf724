/** The command line: finds the command, runs it, and ends with its exit code. */
import { didYouMean, nearMisses } from './base/near-miss.ts';
import { messageOf } from './base/thrown.ts';
import { type Command, readWords, UsageError } from './cli/command.ts';
import { allCommands, commandNames, loadCommand } from './cli/commands.ts';
import { type ExitCode, exitCodes } from './cli/exit-codes.ts';
import { helpOf, overview } from './cli/help.ts';
import { createTerminal, type Terminal } from './cli/terminal.ts';
import { ConfigError } from './config/environment.ts';
import { faultFrom, formatFault } from './content/fault.ts';
import { ContentError } from './content/source.ts';
import { SchemaUnusable } from './store/schema.ts';
import { StoreUnusable } from './store/store.ts';

/** `words` are the arguments after the program's name. */
export async function main(words: readonly string[]): Promise<void> {
  const { env } = process;
  const terminal = createTerminal(env);
  // Whoever reads the output may stop early, as `head` does.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
  process.exitCode = await run(words, env, terminal);
}

async function run(
  words: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  terminal: Terminal,
): Promise<ExitCode> {
  const found = await findCommand(
    words[0] === '--version' || words[0] === '-v' ? ['version', ...words.slice(1)] : words,
  );
  if (found === null) return withoutCommand(words, terminal);
  const { command, rest } = found;
  if (asksForHelp(rest)) {
    terminal.out(helpOf(command, terminal.paint));
    return exitCodes.done;
  }
  try {
    const read = readWords(command, rest);
    return await command.run({ ...read, terminal, env, directory: process.cwd() });
  } catch (error) {
    const { text, code } = explain(error);
    terminal.error(text);
    if (error instanceof UsageError) terminal.error(`See: colophon ${command.name} --help\n`);
    return code;
  }
}

/** A name of two words wins over a name that is its first word. */
async function findCommand(words: readonly string[]): Promise<{ command: Command; rest: readonly string[] } | null> {
  for (const length of [2, 1]) {
    const command = words.length < length ? null : await loadCommand(words.slice(0, length).join(' '));
    if (command !== null) return { command, rest: words.slice(length) };
  }
  return null;
}

const asksForHelp = (words: readonly string[]): boolean => {
  const end = words.indexOf('--');
  return words.slice(0, end === -1 ? undefined : end).some((word) => word === '--help' || word === '-h');
};

async function withoutCommand(words: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const [first, ...rest] = words;
  if (first === undefined || first === '--help' || first === '-h' || (first === 'help' && rest.length === 0)) {
    terminal.out(overview(await allCommands(), terminal.paint));
    return exitCodes.done;
  }
  const asked = first === 'help' ? rest : words;
  const found = first === 'help' ? await findCommand(rest) : null;
  if (found !== null) {
    terminal.out(helpOf(found.command, terminal.paint));
    return exitCodes.done;
  }
  const within = (await allCommands()).filter(({ name }) => name.startsWith(`${asked[0]} `));
  if (within.length > 0 && (asked.length === 1 || asksForHelp(asked))) {
    const isHelp = first === 'help' || asksForHelp(asked);
    const show = isHelp ? terminal.out : terminal.error;
    show(within.map((command) => helpOf(command, isHelp ? terminal.paint : terminal.paintError)).join('\n'));
    return isHelp ? exitCodes.done : exitCodes.usage;
  }
  const written =
    asked
      .filter((word) => !word.startsWith('-'))
      .slice(0, within.length > 0 ? 2 : 1)
      .join(' ') || first;
  terminal.error(`There is no command \`${written}\`.${didYouMean(nearMisses(written, commandNames))}\n`);
  terminal.error('See: colophon --help\n');
  return exitCodes.usage;
}

/** Faults of settings and content are all said at once. */
function explain(error: unknown): { text: string; code: ExitCode } {
  if (error instanceof UsageError) return { text: `${error.message}\n`, code: exitCodes.usage };
  if (error instanceof ConfigError) {
    return { text: error.faults.map((fault) => `${fault}\n`).join(''), code: exitCodes.configuration };
  }
  if (error instanceof ContentError) {
    const text = error.faults
      .map((fault) => `${formatFault(faultFrom(process.cwd(), error.directory, fault))}\n`)
      .join('');
    return { text, code: exitCodes.configuration };
  }
  if (error instanceof SchemaUnusable) return { text: `${error.message}\n`, code: exitCodes.configuration };
  if (error instanceof StoreUnusable) return { text: `${error.message}\n`, code: exitCodes.failed };
  const code = error instanceof Error ? Reflect.get(error, 'code') : null;
  if (error instanceof Error && code === 'EADDRINUSE') {
    const text = `${error.message}. Another program uses that port: stop it, or set PORT (or ADMIN_PORT, if that is the number) to another one (0 picks a free one).\n`;
    return { text, code: exitCodes.failed };
  }
  if (error instanceof Error && code === 'EACCES' && Reflect.get(error, 'syscall') === 'listen') {
    return {
      text: `${error.message}. This user is not allowed to use ports below 1024: set PORT.\n`,
      code: exitCodes.failed,
    };
  }
  return {
    text: `Colophon failed: ${messageOf(error)}\n`,
    code: exitCodes.failed,
  };
}
