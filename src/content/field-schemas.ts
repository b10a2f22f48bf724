/** The kinds of values that content files have: texts, addresses, dates, versions. */
import { z } from 'zod';

/** Creates the schema of a map with the keys of `shape` and no others; `description` is shown in its JSON Schema. */
export const object = <S extends z.core.$ZodLooseShape>(description: string, shape: S) =>
  z.strictObject(shape).describe(description);

/** Creates the schema of a key that may be left out; `description` is shown in its JSON Schema. */
export const optional = <S extends z.ZodType>(schema: S, description: string): z.ZodOptional<S> =>
  schema.optional().describe(description);

/** Creates the schema of a text of 1 to `maxLength` UTF-16 units, not counting the spaces around it, which are removed. */
export const text = (maxLength: number): z.ZodString => z.string().trim().min(1).max(maxLength);

/**
 * Creates the schema of a text that matches `form`; without `maxLength` it may have any length. `rule` completes "the value …",
 * such as `must be an email address`.
 */
export const pattern = (form: RegExp, rule: string, maxLength?: number): z.ZodString => {
  const schema = z.string().regex(form, rule);
  return maxLength === undefined ? schema : schema.max(maxLength);
};

/** The id of an entry. */
export const identifier = pattern(
  /^[a-z0-9]+(-[a-z0-9]+)*$/,
  'must be lowercase words joined by hyphens, such as `push-to-talk`',
  64,
);

/** An http or https URL. */
export const webAddress = pattern(/^https?:\/\/[^\s/]+(\/\S*)?$/, 'must be an http or https URL', 500);

/** An email address. */
export const emailAddress = pattern(/^[^\s@]+@[^\s@]+\.[^\s@]+$/, 'must be an email address', 200);

/** The version of an operating system. */
export const osVersion = pattern(
  /^\d{1,3}(\.\d{1,3}){0,2}$/,
  'must be a version such as "14.0", in quotes so that YAML keeps it as text',
);

/** The version of any system. Whether the system has such versions is not checked here. */
export const systemVersion = z.string().trim().min(1).max(40);

/** `YYYY-MM-DD`, and a day that exists. YAML reads an unquoted date as text here, since the core schema has no dates. */
export const day = pattern(/^\d{4}-\d{2}-\d{2}$/, 'must be a date such as 2026-11-02').refine((value) => {
  const date = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(value);
}, 'is not a valid date');

/** A BCP 47 tag, as in the HTML attribute `lang`. Its form is checked, by Intl too, but not whether the language exists. */
export const languageTag = pattern(
  /^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/,
  'must be a BCP 47 language tag such as `en`, `de` or `pt-BR`',
  35,
).refine(isLanguage, 'is not a BCP 47 language tag, such as `en`, `de` or `pt-BR`');

function isLanguage(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}

/** The schema of a processor. */
export const architecture = z.enum(['arm64', 'x86_64']);
/** A processor that an application is built for: `arm64` or `x86_64`. */
export type Architecture = z.infer<typeof architecture>;

/** The name of a channel of releases. */
export const channelName = pattern(
  /^[\p{L}\p{N}._-]{1,40}$/u,
  'may have only letters, digits, full stops, hyphens and underscores',
);
