/** Reads the files that settings name: the settings themselves as YAML, in lowercase, and other YAML files. */
import { readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { z } from 'zod';
import { getMessage } from '../base/thrown.ts';
import { formatFault } from '../content/fault.ts';
import { validate } from '../content/validation.ts';
import { readYaml, type YamlDocument } from '../content/yaml.ts';
import { settings, toFileKey } from './settings.ts';

/** The text of a setting, and where it comes from: `environment`, or a place such as `colophon.yaml:3:1`. */
export interface GivenSetting {
  readonly text: string;
  readonly origin: string;
}

/**
 * Returns whether an entry is missing, or is text, a number, false, or a list of these. YAML 1.2 reads `off` as text, and false
 * means the same.
 */
const isSetting = (entry: unknown): boolean =>
  [entry ?? ''].flat().every((item) => item === false || ['string', 'number'].includes(typeof item));

const entry = z.unknown().refine(isSetting, 'must be text or a number, or a list of them').optional();

const fileSchema = z.strictObject(Object.fromEntries(settings.map(({ name }) => [toFileKey(name), entry])));

/**
 * Returns the settings of the file that COLOPHON_CONFIG names, by their names in the environment; none if it cannot be read. `path`
 * is relative to `directory`, and paths in the file become absolute. Adds the file's errors to `faults`.
 */
export function readSettingsFile(path: string, directory: string, faults: string[]): Map<string, GivenSetting> {
  const file = resolve(directory, path);
  const fromHere = relative(directory, file);
  const document = readNamedFile('COLOPHON_CONFIG', fromHere.startsWith('..') ? file : fromHere, file, faults);
  if (document === null) return new Map();
  faults.push(...validate(fileSchema, document, 'the file').faults.map(formatFault));
  const settingTexts = new Map<string, GivenSetting>();
  for (const { name } of settings) {
    const key = toFileKey(name);
    const value: unknown = Reflect.get(Object(document.value), key);
    // A number is read from its source text: a key of many digits would otherwise be rounded.
    const exact = typeof value === 'number' ? document.getSourceText([key]) : value;
    const text = isSetting(value) ? toText(exact) : '';
    const { line, column } = document.atKey([key]);
    const origin = `${document.file}:${line}:${column}`;
    const isPath = /_(?:DIR|FILE)$/.test(name);
    if (text !== '') settingTexts.set(name, { text: isPath ? resolve(dirname(file), text) : text, origin });
  }
  return settingTexts;
}

/** Returns a value of the file as the environment would have it: a list as text with commas, false as `off`, a missing value as ''. */
const toText = (value: unknown): string =>
  [value ?? '']
    .flat()
    .map((item) => (item === false ? 'off' : String(item)))
    .join(',');

/**
 * Reads the YAML file at `path` that a setting names, and calls it `name` in messages. Returns null, and adds an error to `faults`,
 * if it cannot be read. Errors of its YAML are in the document.
 */
export function readNamedFile(setting: string, name: string, path: string, faults: string[]): YamlDocument | null {
  try {
    return readYaml(name, readFileSync(path, 'utf8'));
  } catch (error) {
    faults.push(`${setting} names ${name}, which cannot be read (${getMessage(error)}).`);
    return null;
  }
}
