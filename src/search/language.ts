/** Provides the stemmer of a language, the synonyms, stop words and common words of English, and English for words of other languages. */
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { stemmer as stemEnglish } from '@orama/stemmers/english';
import { fold } from './words.ts';

/** Returns the stem of a folded word. */
export type Stem = (folded: string) => string;

/** Names of the library's stemmers by ISO 639 code. The words of other languages are searched unchanged. */
const names: ReadonlyMap<string, string> = new Map(
  `ar arabic, bg bulgarian, da danish, de german, el greek, es spanish, fi finnish, fr french, ga irish, hu hungarian,
hy armenian, id indonesian, it italian, lt lithuanian, nb norwegian, ne nepali, nl dutch, no norwegian, pt portuguese,
ro romanian, ru russian, sr serbian, sv swedish, ta tamil, tr turkish, uk ukrainian`
    .split(/,\s/)
    .map((pair) => [pair.slice(0, 2), pair.slice(3)]),
);

const load = createRequire(import.meta.url);

/** Returns the module with the stemmer of a BCP 47 tag such as `de-CH`, or null for a language without one. */
export function stemmerModule(language: string): string | null {
  const name = names.get(new Intl.Locale(language).language);
  return name === undefined ? null : `@orama/stemmers/${name}`;
}

/** Returns the stemmer for a BCP 47 tag such as `en` or `de-CH`. Only the stemmer of English is loaded at the start. */
export function stemmerFor(language: string): Stem {
  const isEnglish = new Intl.Locale(language).language === 'en';
  const module = stemmerModule(language);
  if (!isEnglish && module === null) return (folded) => folded;
  const { stemmer }: { stemmer: Stem } = module === null ? { stemmer: stemEnglish } : load(module);
  return (folded) => (stemmable.test(folded) ? stemmer(folded) : folded);
}

/** Matches words of letters. A version or an identifier has one form, so it is not stemmed. */
const stemmable = /^[\p{L}\p{M}]{3,64}$/u;

/** Reads the lines of a word list in this folder, without comments. */
export const linesOf = (file: string): string[] =>
  readFileSync(new URL(file, import.meta.url), 'utf8')
    .split(/\r?\n/)
    .filter((line) => line !== '' && !line.startsWith('#'));

/** Synonyms of English, one group an entry: each member finds the others. An entry of several words is found as a phrase. */
export const english: readonly (readonly string[])[] = linesOf('english/synonyms.txt').map((line) => line.split(', '));

/** Stop words of English. They count little, so that a question typed as a sentence is answered by its other words. */
export const stopWords: ReadonlySet<string> = new Set(
  linesOf('english/stop-words.txt').flatMap((line) => line.split(' ')),
);

/** Returns the built-in synonyms of a language, if there are any, and those of the vendor. */
export const synonymsOf = (language: string, own: readonly (readonly string[])[]): readonly (readonly string[])[] =>
  /^en(-|$)/i.test(language) ? [...english, ...own] : own;

/** The stems of the common English words; null until a query has a word that the documents lack. */
let commonStems: ReadonlySet<string> | null = null;

/** Tells whether a folded word is one that English readers know, in any of its forms, such as `louder`. */
export function isCommonEnglish(folded: string): boolean {
  const stem = stemmerFor('en');
  commonStems ??= new Set(linesOf('english/common-words.txt').flatMap((line) => line.split(' ').map(stem)));
  return stopWords.has(folded) || commonStems.has(stem(folded));
}

/** English by the folded word of another language; '' for words without a meaning for search. Null until a query has an unknown word. */
let translations: ReadonlyMap<string, string> | null = null;

/** Returns what a folded word of another language is in English, '' if it means nothing for search, or null if no list has it. */
export function translate(folded: string): string | null {
  translations ??= new Map(
    readdirSync(new URL('terms', import.meta.url))
      .flatMap((name) => linesOf(`terms/${name}`))
      .flatMap((line) => {
        const [meaning = '', words = ''] = line.split(' = ');
        return words.split(', ').map((word) => [fold(word), meaning === '-' ? '' : meaning] as const);
      })
      .toReversed(),
  );
  return isCommonEnglish(folded) ? null : (translations.get(folded) ?? null);
}
