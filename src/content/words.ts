/** The words of the site’s user interface: those of the languages in words/, and of others from the vendor’s words.yaml. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import type publishedSchema from '../../schemas/words.schema.json';
import { identifier } from './field-schemas.ts';

/** The name of a word, such as `skip_to_content`. The types follow the published schema, which `npm run openapi` writes. */
type WordName = Exclude<keyof (typeof publishedSchema)['properties'], 'links'>;

/** Maximum length of a word or sentence, in characters: longer ones do not fit into the frame. */
const maxLength = 200;
const word = z.string().trim().min(1).max(maxLength);

const english = z
  .record(z.string(), word)
  .parse(parse(readFileSync(join(import.meta.dirname, 'words/en.yaml'), 'utf8'))) as Record<WordName, string>;

/** The languages other than English whose words ship, as files of words/. */
export const shippedLanguages = ['de', 'es', 'fr', 'ja', 'zh'] as const;

/**
 * Returns the words that ship for a language tag, by name; null for English, and for a language without any, such as Traditional
 * Chinese. Throws a RangeError for a text that is no tag.
 *
 * @param language such as `de` or `de-AT`
 */
export function findShippedWords(language: string): Readonly<Record<string, string>> | null {
  const { language: code, script } = new Intl.Locale(language).maximize();
  const shippedLanguage = shippedLanguages.find((name) => name === code);
  if (shippedLanguage === undefined || script === 'Hant') return null;
  return z
    .record(z.string(), word)
    .parse(parse(readFileSync(join(import.meta.dirname, `words/${shippedLanguage}.yaml`), 'utf8')));
}

/** The names of all words. */
export const wordNames = Object.keys(english) as readonly WordName[];

/** The schema of words.yaml: every word of the frame, with the English that is shown where a folder has no translation. */
export const wordsSchema = z
  .strictObject({
    ...(Object.fromEntries(
      wordNames.map((name) => [name, word.default(english[name]).describe(`The translation of “${english[name]}”.`)]),
    ) as Record<WordName, z.ZodDefault<typeof word>>),
    links: z
      .record(identifier, word)
      .default({})
      .describe('The titles of the links in product.yaml, by name; by default, `privacy-policy` is “Privacy policy”.'),
  })
  .describe(
    'The site’s own words, such as those of menus and buttons. German, French, Spanish, Japanese and simplified Chinese are included; in another language, words that are not in this file are English.',
  );
/** The words of a folder, none missing; `links` has only the titles of links that words.yaml has. */
export type Words = z.infer<typeof wordsSchema>;

/**
 * Returns the words of a folder: what words.yaml has, then the words that ship for the language, then English. Throws a RangeError
 * if `language` is no language tag.
 *
 * @param folderWords the valid value of words.yaml, without defaults; null or undefined stands for none
 */
export const completeWords = (folderWords: unknown, language: string): Words =>
  wordsSchema.parse({ ...findShippedWords(language), ...Object(folderWords ?? {}) });

/** The words that responses of the API have, whatever the language of the folder is. */
export const englishWords: Words = wordsSchema.parse({});

/** Replaces each `{name}` in a word by the value of this name. Names without a value stay as they are. */
export const fillWords = (word: string, values: Readonly<Record<string, string>>): string =>
  word.replace(/\{(\w+)\}/g, (whole, name: string) => (Object.hasOwn(values, name) ? (values[name] ?? whole) : whole));
