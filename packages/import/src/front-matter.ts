/** Splits a page of another system into its front matter (YAML or TOML) and its text. */
import { parse as parseToml } from 'smol-toml';
import { parse as parseYaml } from 'yaml';
import { Call, NotLiteral } from './literal-values.ts';

/** A page split into its front matter and its text. */
export interface FrontMatter {
  /** The values by their names; empty without front matter, or if it cannot be read. */
  readonly values: Readonly<Record<string, unknown>>;
  /** The text after the front matter and the blank lines behind it; the whole page without front matter. */
  readonly body: string;
  /** The line of the file that the body starts at, counted from 1. */
  readonly bodyLine: number;
  /** The reason why the front matter cannot be read, or null if it can be or there is none. */
  readonly problem: string | null;
}

/**
 * Splits a page. Its front matter, at its very beginning, is YAML between lines of `---`, or TOML between lines of `+++`. If that
 * cannot be parsed, nothing is thrown: `values` is empty, `body` is the text after it, and `problem` says why.
 */
export function readFrontMatter(text: string): FrontMatter {
  const yaml = /^---[ \t]*\n([\s\S]*?)(?:^|\n)(?:---|\.\.\.)[ \t]*(?:\n|$)/.exec(text);
  const toml = yaml === null ? /^\+\+\+[ \t]*\n([\s\S]*?)(?:^|\n)\+\+\+[ \t]*(?:\n|$)/.exec(text) : null;
  const match = yaml ?? toml;
  if (match === null) return { values: {}, body: text, bodyLine: 1, problem: null };
  const rest = text.slice(match[0].length);
  const blank = /^(?:[ \t]*\n)*/.exec(rest)?.[0] ?? '';
  const bodyLine = match[0].split('\n').length + blank.split('\n').length - 1;
  const source = match[1] ?? '';
  const { values, problem } = yaml === null ? tryRead(() => parseToml(source)) : tryRead(() => readYamlText(source));
  return { values, body: rest.slice(blank.length), bodyLine, problem };
}

/**
 * Parses YAML of other systems, and returns null for an empty text. Unknown tags and errors of syntax throw nothing: what can be
 * read is returned. Throws a ReferenceError for an alias without its anchor.
 */
export const readYamlText = (text: string): unknown =>
  parseYaml(text, { logLevel: 'silent', strict: false, uniqueKeys: false, version: '1.1', merge: true });

function tryRead(read: () => unknown): Pick<FrontMatter, 'values' | 'problem'> {
  try {
    return { values: toRecord(read()), problem: null };
  } catch (error) {
    const [reason = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
    return { values: {}, problem: reason };
  }
}

/** Returns a copy of an object, or an empty object for an array, a NotLiteral, a Call and every other value. */
export function toRecord(value: unknown): Record<string, unknown> {
  if (Array.isArray(value) || value instanceof NotLiteral || value instanceof Call) return {};
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

/** Returns the value if it is a list, or else an empty one. */
export const toList = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** Returns a text or a number as trimmed text; null for a blank text and every other value. */
export function toText(value: unknown): string | null {
  if (typeof value === 'string') return value.trim() === '' ? null : value.trim();
  return typeof value === 'number' ? String(value) : null;
}

/** Returns a whole number from 0 to 9999, which may be written as a text of digits, or null for every other value. */
export function toOrder(value: unknown): number | null {
  const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isInteger(number) && number >= 0 && number <= 9999 ? number : null;
}

/**
 * Returns the day, as `YYYY-MM-DD`, of a `Date`, in UTC or the offset that TOML gives it, or of a text that begins with such a day.
 * Returns null for every other value, for a month other than 1 to 12, and for a day other than 1 to 31.
 */
export function toDay(value: unknown): string | null {
  const date = value instanceof Date ? value.toISOString() : toText(value);
  const [day] = /^\d{4}-\d{2}-\d{2}(?=$|[T ])/.exec(date ?? '') ?? [];
  return day !== undefined && !Number.isNaN(Date.parse(day)) ? day : null;
}

/** Tells whether a value is true, or the text `true`. */
export const isTrue = (value: unknown): boolean => value === true || value === 'true';

/** Returns the texts and numbers of a list, or of a single value, as trimmed texts; empty texts and other values are left out. */
export const toTexts = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).flatMap((item) => toText(item) ?? []);
