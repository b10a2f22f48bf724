/** `colophon config`: prints every setting with its value and where the value comes from. */
import { readConfig, readSettings } from '../config/environment.ts';
import { maskSecrets, settings, toFileKey } from '../config/settings.ts';
import { type Command, exitCodes, jsonOption } from './command.ts';

/** The command `config`. */
export const config: Command = {
  name: 'config',
  summary: 'Show every setting with its value and where it comes from; secrets are masked.',
  options: [jsonOption],
  details: `The output is a settings file: save it, change it, and set COLOPHON_CONFIG to its path. In a file, names are
lowercase and paths are relative to the file. The environment wins over the file.`,
  async run({ terminal: { out, paint }, env, directory, flag }) {
    readConfig(env, directory);
    const values = readSettings(env, directory, []);
    const rows = settings.map(({ name, defaultText }) => {
      const { text, origin } = values.get(name) ?? { text: null, origin: 'default' };
      return { name, value: text === null ? defaultText : maskSecrets(name, text), origin };
    });
    if (flag('json')) out(`${JSON.stringify(rows)}\n`);
    else {
      for (const [index, { name, value, origin }] of rows.entries()) {
        out(paint('dim', `# ${settings[index]?.help}\n`));
        const key = toFileKey(name);
        out(value === null ? `# ${key}:\n` : `${key}: ${toYaml(value)}${paint('dim', `  # ${origin}`)}\n`);
      }
    }
    return exitCodes.done;
  },
};

/** Writes a value as YAML, in quotes where that is needed. */
const toYaml = (value: string): string => (/^[A-Za-z0-9/.][\w/.:@-]*$/.test(value) ? value : JSON.stringify(value));
