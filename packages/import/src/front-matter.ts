/** Splits a page of another system into its front matter (YAML, TOML or JSON) and its text. */
import { parse as parseToml } from 'smol-toml';
import { parse as parseYaml } from 'yaml';

export interface Matter {
  readonly values: Readonly<Record<string, unknown>>;
  readonly body: string;
  /** The line of the file that the body starts at. */
  readonly bodyLine: number;
  /** What keeps the front matter from being read, or null. */
  readonly problem: string | null;
}

export function readMatter(text: string): Matter {
  const yaml = /^---[ \t]*\n([\s\S]*?)(?:^|\n)(?:---|\.\.\.)[ \t]*(?:\n|$)/.exec(text);
  const toml = yaml === null ? /^\+\+\+[ \t]*\n([\s\S]*?)(?:^|\n)\+\+\+[ \t]*(?:\n|$)/.exec(text) : null;
  const found = yaml ?? toml;
  if (found === null) return { values: {}, body: text, bodyLine: 1, problem: null };
  const rest = text.slice(found[0].length);
  const blank = /^(?:[ \t]*\n)*/.exec(rest)?.[0] ?? '';
  const bodyLine = found[0].split('\n').length + blank.split('\n').length - 1;
  const written = found[1] ?? '';
  const { values, problem } = yaml === null ? tryRead(() => parseToml(written)) : tryRead(() => readYamlText(written));
  return { values, body: rest.slice(blank.length), bodyLine, problem };
}

/** YAML of other systems: their custom tags are not an error. */
export const readYamlText = (text: string): unknown =>
  parseYaml(text, { logLevel: 'silent', strict: false, uniqueKeys: false, version: '1.1', merge: true });

function tryRead(read: () => unknown): Pick<Matter, 'values' | 'problem'> {
  try {
    return { values: recordOf(read()), problem: null };
  } catch (error) {
    const [reason = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
    return { values: {}, problem: reason };
  }
}

/** The value where it is a map, else an empty one. */
export function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}

export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** Text, or what is written like one; null for everything else. */
export function textOf(value: unknown): string | null {
  if (typeof value === 'string') return value.trim() === '' ? null : value.trim();
  return typeof value === 'number' ? String(value) : null;
}

/** A whole number from 0 on that a page's `order` may be. */
export function orderOf(value: unknown): number | null {
  const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isInteger(number) && number >= 0 && number <= 9999 ? number : null;
}

/** `YYYY-MM-DD` of a date as front matter has it. */
export function dayOf(value: unknown): string | null {
  const date = value instanceof Date ? value.toISOString() : textOf(value);
  const [day] = /^\d{4}-\d{2}-\d{2}(?=$|[T ])/.exec(date ?? '') ?? [];
  return day !== undefined && !Number.isNaN(Date.parse(day)) ? day : null;
}

export const isTrue = (value: unknown): boolean => value === true || value === 'true';

export const textsOf = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).flatMap((item) => textOf(item) ?? []);
