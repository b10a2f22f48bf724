/** The command line: loads the command that the arguments name, parses them with commander, and runs it. */
import { CommanderError, Command as Parser } from 'commander';
import { type Command, type ExitCode, exitCodes, type Invocation, type Surroundings, UsageError } from './command.ts';

/** The commands in the order of the help. The code of each is loaded when it is called: a server needs none of the others. */
const loaders: ReadonlyMap<string, () => Promise<Command>> = new Map([
  ['init', async () => (await import('./init.ts')).init],
  ['import', async () => (await import('./import.ts')).importCommand],
  ['check', async () => (await import('./check.ts')).check],
  ['dev', async () => (await import('./dev.ts')).dev],
  ['serve', async () => (await import('./serve.ts')).serve],
  ['snapshot', async () => (await import('./snapshot.ts')).snapshot],
  ['feed verify', async () => (await import('./feed.ts')).feedVerify],
  ['feed accept', async () => (await import('./feed.ts')).feedAccept],
  ['clients list', async () => (await import('./clients.ts')).clientsList],
  ['clients revoke', async () => (await import('./clients.ts')).clientsRevoke],
  ['backup', async () => (await import('./backup.ts')).backup],
  ['restore', async () => (await import('./backup.ts')).restore],
  ['move', async () => (await import('./move.ts')).move],
  ['openapi', async () => (await import('./openapi.ts')).openapi],
  ['config', async () => (await import('./config.ts')).config],
  ['version', async () => (await import('./version.ts')).version],
]);

/** The help of the first words that several commands share. */
const groups: Readonly<Record<string, string>> = {
  feed: 'Verify the product’s feed, or accept one that goes backward.',
  clients: 'List the registered clients, or revoke one.',
};

/** The names of all commands, in the order of the help. */
export const commandNames: readonly string[] = [...loaders.keys()];

/**
 * Runs the command that `args`, the arguments after the program's name, describe, and returns its exit code; without arguments, it
 * prints the help. For wrong usage, UsageError included, it prints what is wrong and returns 64; it rejects with any other error of
 * the command.
 */
export async function runProgram(args: readonly string[], surroundings: Surroundings): Promise<ExitCode> {
  const [first = '--help', ...rest] = args;
  const word = first === '--version' || first === '-v' ? 'version' : first;
  const matchingNames = commandNames.filter((name) => name.split(' ', 1)[0] === word);
  const program = createParser(surroundings);
  let code: ExitCode = exitCodes.done;
  for (const command of await loadCommands(matchingNames.length > 0 ? matchingNames : commandNames)) {
    const parser = addCommand(program, command);
    parser.action(async () => {
      try {
        code = await command.run({ ...readArguments(parser), ...surroundings });
      } catch (error) {
        if (error instanceof UsageError) parser.error(error.message);
        throw error;
      }
    });
  }
  try {
    await program.parseAsync([word, ...rest], { from: 'user' });
    return code;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
  }
}

/** Returns the commands with these names, in their order, and loads their modules; unknown names are left out. */
export const loadCommands = (names: readonly string[]): Promise<Command[]> =>
  Promise.all(names.flatMap((name) => loaders.get(name)?.() ?? []));

/**
 * Creates the parser of the whole command line, without its commands. It prints to the terminal, and throws CommanderError instead
 * of ending the process.
 */
function createParser({ terminal: { out, error, paint } }: Surroundings): Parser {
  const highlight = (text: string): string => paint('cyan', text);
  return new Parser('colophon')
    .description('Publishes a desktop application’s metadata: an API, MCP servers and a site.')
    .usage('COMMAND [options]')
    .helpOption('-h, --help', 'Show this help.')
    .helpCommand('help [COMMAND]', 'Show the help of a command.')
    .showHelpAfterError('See: colophon --help')
    .addHelpText('after', footer)
    .exitOverride()
    .configureOutput({ writeOut: out, writeErr: error })
    .configureHelp({
      styleTitle: (text) => paint('bold', text),
      styleSubcommandText: highlight,
      styleOptionText: highlight,
      styleArgumentText: highlight,
    });
}

/** Adds the parser of a command to `program` and returns it. For a name of two words, its parent is a group, added if missing. */
function addCommand(program: Parser, { name, summary, argument, options = [], details }: Command): Parser {
  const [first = '', second] = name.split(' ');
  const group = program.commands.find((parser) => parser.name() === first);
  const parent = second === undefined ? program : (group ?? program.command(first).description(groups[first] ?? ''));
  const parser = parent.command(second ?? first).description(summary);
  parser.showHelpAfterError(`See: colophon ${name} --help`);
  if (argument !== undefined) parser.addArgument(argument);
  for (const option of options) parser.addOption(option);
  return details === undefined ? parser : parser.addHelpText('after', `\n${details}`);
}

function readArguments(parser: Parser): Pick<Invocation, 'argument' | 'flag' | 'value'> {
  const read = (name: string): unknown =>
    parser.getOptionValue(parser.options.find((option) => option.name() === name)?.attributeName() ?? name);
  return {
    argument: parser.args[0] ?? null,
    flag: (name) => read(name) === true,
    value: (name) => {
      const text = read(name);
      if (text === '') throw new UsageError(`--${name} needs a value.`);
      return typeof text === 'string' ? text : null;
    },
  };
}

const footer = `
\`colophon COMMAND --help\` shows the details. Settings come from the environment and from the file that
COLOPHON_CONFIG names; \`colophon config\` lists them. Exit codes: 0 success, 1 failure, 64 wrong usage, 78
invalid settings or content.`;
