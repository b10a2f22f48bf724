/** The settings file that COLOPHON_CONFIG names, below the environment: the same settings, in YAML, in lower case. */
import { readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { didYouMean, nearMisses } from '../base/near-miss.ts';
import { messageOf } from '../base/thrown.ts';
import { readYaml } from '../content/yaml.ts';
import { type Config, ConfigError, readConfig } from './environment.ts';
import { fileKey, isPath, settingNames } from './settings.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export interface SettingsRead {
  /** What counts: the environment's values, and the file's where the environment has none. */
  readonly values: Environment;
  /** By setting: where the file sets it, such as `colophon.yaml:3:1`. */
  readonly inFile: ReadonlyMap<string, string>;
  readonly faults: readonly string[];
}

/** Throws ConfigError with every fault of the file, of the environment and of the values, at once. */
export function loadConfig(env: Environment, directory: string): Config {
  const read = readSettings(env, directory);
  let config: Config | null = null;
  const faults = [...read.faults];
  try {
    config = readConfig(read.values, directory);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    faults.push(...error.faults.map((fault) => placed(fault, read.inFile)));
  }
  if (config === null || faults.length > 0) throw new ConfigError(faults);
  return config;
}

/** Reads the file and looks for misspelt names; checks no value. Does not throw. */
export function readSettings(env: Environment, directory: string): SettingsRead {
  const path = env.COLOPHON_CONFIG?.trim() || null;
  const file =
    path === null ? { values: {}, places: new Map<string, string>(), faults: [] } : readFile(path, directory);
  const inFile = new Map([...file.places].filter(([name]) => !isSet(env, name)));
  const kept = Object.entries(env).filter(([name]) => isSet(env, name));
  return {
    values: { ...file.values, ...Object.fromEntries(kept) },
    inFile,
    faults: [...file.faults, ...misspelt(env)],
  };
}

/** An empty variable is one that is not set. */
const isSet = (env: Environment, name: string): boolean => (env[name] ?? '').trim() !== '';

/** The environment belongs to everybody; only names that can be meant for Colophon and nothing else are checked. */
function misspelt(env: Environment): string[] {
  const known = [...settingNames, 'COLOPHON_CONFIG'];
  return Object.keys(env)
    .filter((name) => /^(COLOPHON|RATE_LIMIT)_/.test(name) && !known.includes(name))
    .map((name) => `${name} is not a setting.${didYouMean(nearMisses(name, known))}`);
}

function readFile(path: string, directory: string) {
  const absolute = resolve(directory, path);
  const shown = relative(directory, absolute).startsWith('..') ? absolute : relative(directory, absolute);
  const values: Record<string, string> = {};
  const places = new Map<string, string>();
  const faults: string[] = [];
  let text = '';
  try {
    text = readFileSync(absolute, 'utf8');
  } catch (error) {
    return { values, places, faults: [`COLOPHON_CONFIG names ${shown}, which cannot be read (${messageOf(error)}).`] };
  }
  const document = readYaml(shown, text);
  for (const { line, column, message } of document.faults) faults.push(`${shown}:${line}:${column}: ${message}`);
  const { value } = document;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    if (faults.length === 0) faults.push(`${shown}:1:1: the file must be a map of settings, such as \`port: 8080\`.`);
    return { values, places, faults };
  }
  const known = new Map(settingNames.map((name) => [fileKey(name), name]));
  for (const [key, member] of Object.entries(value)) {
    const { line, column } = document.atKey([key]);
    const place = `${shown}:${line}:${column}`;
    const name = known.get(key);
    const written = textOf(member);
    if (name === undefined) {
      faults.push(`${place}: \`${key}\` is not a setting.${didYouMean(nearestKeys(key, known))}`);
    } else if (written === null) {
      faults.push(`${place}: \`${key}\` must be text or a number, or a list of them.`);
    } else if (written !== '') {
      values[name] = isPath(name) ? resolve(dirname(absolute), written) : written;
      places.set(name, place);
    }
  }
  return { values, places, faults };
}

/** As the environment would have it; '' for null, which sets nothing; null for what cannot be a setting. */
function textOf(value: unknown): string | null {
  if (value === null) return '';
  // YAML 1.2 reads `off` as text; whoever writes false means the same.
  if (value === false) return 'off';
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  if (!Array.isArray(value)) return null;
  const members = value.map(textOf);
  return members.some((member) => member === null || member === '') ? null : members.join(',');
}

/** A fault of a value that the file sets says where. */
function placed(fault: string, inFile: ReadonlyMap<string, string>): string {
  const name = /^[A-Z_]+/.exec(fault)?.[0] ?? '';
  const place = inFile.get(name);
  return place === undefined ? fault : `${place}: ${fault}`;
}

/** Names in a file are lowercase: one that is right but for that needs no others to choose from. */
function nearestKeys(key: string, known: ReadonlyMap<string, unknown>): readonly string[] {
  const lower = key.toLowerCase();
  return known.has(lower) ? [lower] : nearMisses(key, known.keys());
}
