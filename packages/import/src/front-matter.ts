/** Splits a page of another system into its front matter (YAML, TOML or JSON) and its text. */
import { parse as parseToml } from 'smol-toml';
import { parse as parseYaml } from 'yaml';

/** A page split into its front matter and its text. */
export interface FrontMatter {
  readonly values: Readonly<Record<string, unknown>>;
  readonly body: string;
  /** The line of the file that the body starts at. */
  readonly bodyLine: number;
  /** The reason why the front matter cannot be read, or null. */
  readonly problem: string | null;
}

/** Splits a page. Its front matter is YAML between lines of `---`, or TOML between lines of `+++`; without any, there are no values. */
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

/** Parses YAML of other systems, in which tags of their own are no errors. */
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

/** Returns the value if it is a map, or else an empty one. */
export function toRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}

/** Returns the value if it is a list, or else an empty one. */
export const toList = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** Returns a text or a number as trimmed text; null for an empty text and every other value. */
export function toText(value: unknown): string | null {
  if (typeof value === 'string') return value.trim() === '' ? null : value.trim();
  return typeof value === 'number' ? String(value) : null;
}

/** Returns a whole number that the `order` of a page may be, or null for every other value. */
export function toOrder(value: unknown): number | null {
  const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isInteger(number) && number >= 0 && number <= 9999 ? number : null;
}

/** Returns the day of a date as `YYYY-MM-DD`, or null if the value is no date. */
export function toDay(value: unknown): string | null {
  const date = value instanceof Date ? value.toISOString() : toText(value);
  const [day] = /^\d{4}-\d{2}-\d{2}(?=$|[T ])/.exec(date ?? '') ?? [];
  return day !== undefined && !Number.isNaN(Date.parse(day)) ? day : null;
}

/** Tells whether a value is true, or the text `true`. */
export const isTrue = (value: unknown): boolean => value === true || value === 'true';

/** Returns the texts of a list, or the one text that a value is. */
export const toTexts = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).flatMap((item) => toText(item) ?? []);
