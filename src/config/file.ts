/** The settings file that COLOPHON_CONFIG names: the same settings in YAML, in lowercase. The environment wins. */
import { readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { didYouMean, nearMisses } from '../base/near-miss.ts';
import { messageOf } from '../base/thrown.ts';
import { formatFault } from '../content/fault.ts';
import { readYaml } from '../content/yaml.ts';
import { type Config, ConfigError, checkSettings, type Environment } from './environment.ts';
import { fileKey, settings } from './settings.ts';

/** The settings of the environment and of the file together. */
export interface SettingsRead {
  readonly values: Environment;
  /** Where the file sets what the environment does not, by setting, such as `colophon.yaml:3:1`. */
  readonly inFile: ReadonlyMap<string, string>;
  readonly faults: string[];
}

/** Reads all settings; relative paths in the environment are relative to `directory`. Throws ConfigError. */
export function loadConfig(env: Environment, directory: string): Config {
  const { values, inFile, faults } = readSettings(env, directory);
  const { config, faults: valueFaults } = checkSettings(values, directory);
  for (const fault of valueFaults) {
    const place = inFile.get(fault.split(' ', 1)[0] ?? '');
    faults.push(place === undefined ? fault : `${place}: ${fault}`);
  }
  if (faults.length > 0) throw new ConfigError(faults);
  return config;
}

/** Returns the texts of all settings without checking them, and the errors of names and of the file. */
export function readSettings(env: Environment, directory: string): SettingsRead {
  const given = Object.entries(env).filter(([, text]) => (text ?? '').trim() !== '');
  const faults: string[] = [];
  const file = env.COLOPHON_CONFIG?.trim() ? readFile(env.COLOPHON_CONFIG.trim(), directory, faults) : [];
  const names = [...settings.map(({ name }) => name), 'COLOPHON_CONFIG'];
  for (const name of Object.keys(env)) {
    // Other programs use the environment too, so only names that can mean nothing else are checked.
    if (/^(COLOPHON|RATE_LIMIT)_/.test(name) && !names.includes(name))
      faults.push(`${name} is not a setting.${didYouMean(nearMisses(name, names))}`);
  }
  const inFile = new Map(file.map(({ name, place }) => [name, place]));
  for (const [name] of given) inFile.delete(name);
  return {
    values: { ...Object.fromEntries(file.map(({ name, text }) => [name, text])), ...Object.fromEntries(given) },
    inFile,
    faults,
  };
}

/** A setting that a file has, and its place. */
interface FileSetting {
  readonly name: string;
  readonly text: string;
  readonly place: string;
}

/** Reads a settings file, and adds its errors to `faults`. */
function readFile(path: string, directory: string, faults: string[]): FileSetting[] {
  const absolute = resolve(directory, path);
  const fromHere = relative(directory, absolute);
  const shown = fromHere.startsWith('..') ? absolute : fromHere;
  let text: string;
  try {
    text = readFileSync(absolute, 'utf8');
  } catch (error) {
    faults.push(`COLOPHON_CONFIG names ${shown}, which cannot be read (${messageOf(error)}).`);
    return [];
  }
  const document = readYaml(shown, text);
  faults.push(...document.faults.map(formatFault));
  const { value } = document;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    if (document.faults.length === 0)
      faults.push(`${shown}:1:1: the file must be a map of settings, such as \`port: 8080\`.`);
    return [];
  }
  const names = new Map(settings.map(({ name }) => [fileKey(name), name]));
  return Object.entries(value).flatMap(([key, entry]) => {
    const { line, column } = document.atKey([key]);
    const place = `${shown}:${line}:${column}`;
    const name = names.get(key);
    const setting = toText(entry);
    if (name === undefined) {
      // Somebody who wrote PORT for port needs no other suggestion.
      const lower = key.toLowerCase();
      const suggestions = names.has(lower) ? [lower] : nearMisses(key, names.keys());
      faults.push(`${place}: \`${key}\` is not a setting.${didYouMean(suggestions)}`);
      return [];
    }
    if (setting === null) faults.push(`${place}: \`${key}\` must be text or a number, or a list of them.`);
    if (!setting) return [];
    return [{ name, text: /_(?:DIR|FILE)$/.test(name) ? resolve(dirname(absolute), setting) : setting, place }];
  });
}

/** Returns a value as the environment would have it: '' for null, which sets nothing, or null for what cannot be a setting. */
function toText(value: unknown): string | null {
  if (value === null) return '';
  // YAML 1.2 reads `off` as text; false means the same.
  if (value === false) return 'off';
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  if (!Array.isArray(value)) return null;
  const entries = value.map(toText);
  return entries.some((entry) => entry === null || entry === '') ? null : entries.join(',');
}
