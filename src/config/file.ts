/** The settings file that COLOPHON_CONFIG names: the same settings in YAML, in lowercase. The environment wins. */
import { readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { didYouMean, nearMisses } from '../base/near-miss.ts';
import { messageOf } from '../base/thrown.ts';
import { readYaml } from '../content/yaml.ts';
import { type Config, ConfigError, checkSettings, type Environment } from './environment.ts';
import { fileKey, pathSettings, settingNames } from './settings.ts';

/** The settings of the environment and of the file together. */
export interface SettingsRead {
  readonly values: Environment;
  /** Where the file sets what the environment does not, by setting, such as `colophon.yaml:3:1`. */
  readonly inFile: ReadonlyMap<string, string>;
  readonly faults: readonly string[];
}

/** Reads all settings; relative paths in the environment are relative to `directory`. Throws ConfigError. */
export function loadConfig(env: Environment, directory: string): Config {
  const { values, inFile, faults } = readSettings(env, directory);
  const { config, faults: valueFaults } = checkSettings(values, directory);
  const placed = valueFaults.map((fault) => {
    const place = inFile.get(fault.split(' ', 1)[0] ?? '');
    return place === undefined ? fault : `${place}: ${fault}`;
  });
  const all = [...faults, ...placed];
  if (all.length > 0) throw new ConfigError(all);
  return config;
}

/** Returns the texts of all settings without checking them, and the errors of names and of the file. */
export function readSettings(env: Environment, directory: string): SettingsRead {
  const given = new Map(Object.entries(env).filter(([, text]) => (text ?? '').trim() !== ''));
  const path = given.get('COLOPHON_CONFIG')?.trim();
  const file = path === undefined ? noFile : readFile(path, directory);
  return {
    values: { ...Object.fromEntries(file.values), ...Object.fromEntries(given) },
    inFile: new Map([...file.places].filter(([name]) => !given.has(name))),
    faults: [...file.faults, ...findMisspelledNames(env)],
  };
}

/** The texts of a file's settings, and their places, by name. */
interface FileRead {
  readonly values: ReadonlyMap<string, string>;
  readonly places: ReadonlyMap<string, string>;
  readonly faults: readonly string[];
}

const noFile: FileRead = { values: new Map(), places: new Map(), faults: [] };

/** Other programs use the environment too, so only names that can mean nothing else are checked. */
function findMisspelledNames(env: Environment): string[] {
  const names = [...settingNames, 'COLOPHON_CONFIG'];
  return Object.keys(env)
    .filter((name) => /^(COLOPHON|RATE_LIMIT)_/.test(name) && !names.includes(name))
    .map((name) => `${name} is not a setting.${didYouMean(nearMisses(name, names))}`);
}

function readFile(path: string, directory: string): FileRead {
  const absolute = resolve(directory, path);
  const fromHere = relative(directory, absolute);
  const shown = fromHere.startsWith('..') ? absolute : fromHere;
  let text: string;
  try {
    text = readFileSync(absolute, 'utf8');
  } catch (error) {
    return { ...noFile, faults: [`COLOPHON_CONFIG names ${shown}, which cannot be read (${messageOf(error)}).`] };
  }
  const document = readYaml(shown, text);
  const faults = document.faults.map(({ line, column, message }) => `${shown}:${line}:${column}: ${message}`);
  const { value } = document;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    const noMap = `${shown}:1:1: the file must be a map of settings, such as \`port: 8080\`.`;
    return { ...noFile, faults: faults.length > 0 ? faults : [noMap] };
  }
  const values = new Map<string, string>();
  const places = new Map<string, string>();
  const names = new Map(settingNames.map((name) => [fileKey(name), name]));
  for (const [key, entry] of Object.entries(value)) {
    const { line, column } = document.atKey([key]);
    const place = `${shown}:${line}:${column}`;
    const name = names.get(key);
    const setting = toText(entry);
    if (name === undefined) {
      // Somebody who wrote PORT for port needs no other suggestion.
      const lower = key.toLowerCase();
      const suggestions = names.has(lower) ? [lower] : nearMisses(key, names.keys());
      faults.push(`${place}: \`${key}\` is not a setting.${didYouMean(suggestions)}`);
    } else if (setting === null) {
      faults.push(`${place}: \`${key}\` must be text or a number, or a list of them.`);
    } else if (setting !== '') {
      values.set(name, pathSettings.includes(name) ? resolve(dirname(absolute), setting) : setting);
      places.set(name, place);
    }
  }
  return { values, places, faults };
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
