/** The help texts, made from what the commands say of themselves. */
import type { Command } from './command.ts';
import type { Paint } from './terminal.ts';

/** One line a command. */
export function overview(commands: readonly Command[], paint: Paint): string {
  const rows = commands.map((command): [string, string] => [calledAs(command), command.summary]);
  return `${paint('bold', 'colophon')} publishes a desktop application’s metadata: an API, MCP servers and a site.

${paint('bold', 'Usage:')} colophon COMMAND [options]

${paint('bold', 'Commands:')}
${table(rows, paint)}

\`colophon COMMAND --help\` shows the details. Settings come from the environment and from the file that
COLOPHON_CONFIG names; \`colophon config\` lists them. Exit codes: 0 success, 1 failure, 64 wrong usage, 78
invalid settings or content.
`;
}

/** Everything about one command. */
export function helpOf(command: Command, paint: Paint): string {
  const { argument, options, details } = command;
  const names = Object.entries(options).map(([name, option]): [string, string] => [
    `--${name}${option.value === undefined ? '' : ` ${option.value}`}`,
    option.choices === undefined ? option.help : `${option.help} One of ${option.choices.join(', ')}.`,
  ]);
  const parts = [`${command.summary}\n`, `${paint('bold', 'Usage:')} colophon ${calledAs(command)} [options]\n`];
  if (argument !== undefined)
    parts.push(`${paint('bold', 'Argument:')}\n${table([[argument.name, argument.help]], paint)}\n`);
  parts.push(`${paint('bold', 'Options:')}\n${table([...names, ['--help', 'Show this help.']], paint)}\n`);
  if (details !== undefined) parts.push(`${details}\n`);
  return parts.join('\n');
}

function calledAs({ name, argument }: Command): string {
  if (argument === undefined) return name;
  return `${name} ${argument.required ? argument.name : `[${argument.name}]`}`;
}

function table(rows: readonly [string, string][], paint: Paint): string {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${paint('cyan', left.padEnd(width))}  ${right}`).join('\n');
}
