/** The words of the site's frame: English from words/en.yaml, in the languages of vendors from their words.yaml. */
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

/** The names of all words. */
export const wordNames = Object.keys(english) as readonly WordName[];

/** The schema of words.yaml: every word of the frame, with the English that is shown where a folder has no translation. */
export const wordsSchema = z
  .strictObject({
    ...(Object.fromEntries(wordNames.map((name) => [name, word.default(english[name])])) as Record<
      WordName,
      z.ZodDefault<typeof word>
    >),
    links: z
      .record(identifier, word)
      .default({})
      .describe('The titles of the links of product.yaml, by their names; a link that is left out shows its name.'),
  })
  .describe('Translations of the words of the site’s frame; each key that is left out stays English.');
export type Words = z.infer<typeof wordsSchema>;

/** The words that responses of the API have, whatever the language of the folder is. */
export const englishWords: Words = wordsSchema.parse({});

/** Fills in `{name}` in a word. */
export const filled = (word: string, values: Readonly<Record<string, string>>): string =>
  word.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
