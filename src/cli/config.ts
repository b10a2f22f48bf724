/** `colophon config`: prints every setting with its value and where the value comes from. */
import { readConfig, readSettings } from '../config/environment.ts';
import { fileKey, maskSecrets, settings } from '../config/settings.ts';
import { type Command, exitCodes } from './command.ts';

export const config: Command = {
  name: 'config',
  summary: 'Show every setting with its value and where it comes from; secrets are masked.',
  options: { json: { help: 'Print JSON.' } },
  details: `The output is a settings file: save it, change it, and set COLOPHON_CONFIG to its path. In a file, names are
lowercase and paths are relative to the file. The environment wins over the file.`,
  async run({ terminal, env, directory, flag }) {
    readConfig(env, directory);
    const given = readSettings(env, directory, []);
    const rows = settings.map(({ name, help, defaultText }) => {
      const { text, origin } = given.get(name) ?? { text: null, origin: 'default' };
      return { name, value: text === null ? defaultText : maskSecrets(name, text), origin, help };
    });
    if (flag('json')) {
      terminal.out(`${JSON.stringify(rows.map(({ help, ...row }) => row))}\n`);
      return exitCodes.done;
    }
    for (const { name, value, origin, help } of rows) {
      terminal.out(terminal.paint('dim', `# ${help}\n`));
      const line = value === null ? `# ${fileKey(name)}:` : `${fileKey(name)}: ${toYaml(value)}`;
      terminal.out(`${line}${value === null ? '' : terminal.paint('dim', `  # ${origin}`)}\n`);
    }
    return exitCodes.done;
  },
};

/** Writes a value as YAML, in quotes where that is needed. */
const toYaml = (value: string): string => (/^[A-Za-z0-9/.][\w/.:@-]*$/.test(value) ? value : JSON.stringify(value));
