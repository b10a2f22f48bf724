/** `colophon completion`: a script that teaches a shell the commands and their options. */
import type { Command } from './command.ts';
import { exitCodes } from './exit-codes.ts';

const shells = ['bash', 'zsh', 'fish'] as const;

/** `known` gives the commands to complete, this one included. */
export function createCompletion(known: () => Promise<readonly Command[]>): Command {
  return {
    name: 'completion',
    summary: 'Print a script that completes commands and options in bash, zsh or fish.',
    argument: { name: 'SHELL', help: `One of ${shells.join(', ')}; by default the one in SHELL.` },
    options: {},
    details: `bash:  colophon completion bash > ~/.local/share/bash-completion/completions/colophon
zsh:   colophon completion zsh > "\${fpath[1]}/_colophon"
fish:  colophon completion fish > ~/.config/fish/completions/colophon.fish`,
    async run({ argument, env, terminal }) {
      const wanted = argument ?? env.SHELL?.split('/').at(-1) ?? '';
      const shell = shells.find((name) => name === wanted);
      if (shell === undefined) {
        terminal.error(`There is no completion for \`${wanted}\`. Name one of ${shells.join(', ')}.\n`);
        return exitCodes.usage;
      }
      terminal.out({ bash, zsh, fish }[shell](await known()));
      return exitCodes.done;
    },
  };
}

/** The words that may come first, and second after each. */
function wordsOf(commands: readonly Command[]): Map<string, string[]> {
  const words = new Map<string, string[]>();
  for (const { name } of commands) {
    const [first = '', second] = name.split(' ');
    words.set(first, [...(words.get(first) ?? []), ...(second === undefined ? [] : [second])]);
  }
  return words;
}

const optionsOf = ({ options }: Command): string[] => [...Object.keys(options), 'help'].map((name) => `--${name}`);

function bash(commands: readonly Command[]): string {
  const words = wordsOf(commands);
  const cases = [
    ...commands.map((command) => {
      const files = command.argument === undefined ? '' : ' files=yes';
      return `    '${command.name}'*) words='${optionsOf(command).join(' ')}'${files} ;;`;
    }),
    ...[...words]
      .filter(([, next]) => next.length > 0)
      .map(([first, next]) => `    '${first}'*) words='${next.join(' ')}' ;;`),
  ];
  return `_colophon() {
  local current=\${COMP_WORDS[COMP_CWORD]} words files line
  line="\${COMP_WORDS[*]:1:COMP_CWORD-1}"
  case "$line" in
    '') words='${[...words.keys()].join(' ')}' ;;
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  if [[ $current != -* && -n $files ]]; then COMPREPLY+=($(compgen -f -- "$current")); fi
}
complete -o filenames -F _colophon colophon
`;
}

function zsh(commands: readonly Command[]): string {
  return `#compdef colophon
autoload -U +X bashcompinit && bashcompinit
${bash(commands)}`;
}

function fish(commands: readonly Command[]): string {
  const quoted = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`;
  const lines = ['complete -c colophon -f'];
  const firsts = new Set(wordsOf(commands).keys());
  for (const first of firsts) {
    const [alone] = commands.filter(({ name }) => name === first);
    const said = alone?.summary ?? `See colophon ${first} --help`;
    lines.push(`complete -c colophon -n __fish_use_subcommand -a ${first} -d ${quoted(said)}`);
  }
  for (const command of commands) {
    const [first = '', second] = command.name.split(' ');
    if (second !== undefined) {
      lines.push(
        `complete -c colophon -n '__fish_seen_subcommand_from ${first}' -a ${second} -d ${quoted(command.summary)}`,
      );
    }
    for (const [name, { help, value }] of Object.entries(command.options)) {
      const takes = value === undefined ? '' : ' -r -F';
      lines.push(
        `complete -c colophon -n '__fish_seen_subcommand_from ${second ?? first}' -l ${name}${takes} -d ${quoted(help)}`,
      );
    }
    if (command.argument !== undefined)
      lines.push(`complete -c colophon -n '__fish_seen_subcommand_from ${second ?? first}' -F`);
  }
  return `${lines.join('\n')}\n`;
}
