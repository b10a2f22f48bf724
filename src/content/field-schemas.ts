/** The kinds of values that content files have: texts, addresses, dates, versions. */
import { z } from 'zod';

export const text = (most: number) => z.string().trim().min(1).max(most);
export const identifier = z
  .string()
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'must be lowercase words joined by hyphens, such as `push-to-talk`')
  .max(64);
export const webAddress = z
  .string()
  .regex(/^https?:\/\/[^\s/]+(\/\S*)?$/, 'must be an http or https URL')
  .max(500);
export const emailAddress = z
  .string()
  .regex(/^[^\s@]+@[^\s@]+\.[^\s@]+$/, 'must be an email address')
  .max(200);
export const osVersion = z
  .string()
  .regex(/^\d{1,3}(\.\d{1,3}){0,2}$/, 'must be a version such as "14.0", in quotes so that YAML keeps it as text');

/** `YYYY-MM-DD`, and a day that exists. YAML reads an unquoted date as text here, since the core schema has no dates. */
export const day = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/, 'must be a date such as 2026-11-02')
  .refine((value) => {
    const date = new Date(`${value}T00:00:00Z`);
    return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(value);
  }, 'is not a valid date');

/** BCP 47, as `lang` takes it; one that Intl does not know is refused by name rather than served. */
export const languageTag = z
  .string()
  .regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, 'must be a BCP 47 language tag such as `en`, `de` or `pt-BR`')
  .max(35)
  .refine((tag) => isLanguage(tag), 'is not a BCP 47 language tag, such as `en`, `de` or `pt-BR`');

function isLanguage(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}

export const architecture = z.enum(['arm64', 'x86_64']);
export type Architecture = z.infer<typeof architecture>;
