/** What search knows of a language: its stemmer, and for English synonyms, stop words and common words. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { stemmer as stemEnglish } from '@orama/stemmers/english';

/** A folded word's stem. */
export type Stem = (folded: string) => string;

/** The library's names for languages by their ISO 639 codes; the words of any other are searched as they stand. */
const names: ReadonlyMap<string, string> = new Map(
  `ar arabic, bg bulgarian, da danish, de german, el greek, es spanish, fi finnish, fr french, ga irish, hu hungarian,
hy armenian, id indonesian, it italian, lt lithuanian, nb norwegian, ne nepali, nl dutch, no norwegian, pt portuguese,
ro romanian, ru russian, sr serbian, sv swedish, ta tamil, tr turkish, uk ukrainian`
    .split(/,\s/)
    .map((pair) => [pair.slice(0, 2), pair.slice(3)]),
);

const load = createRequire(import.meta.url);

/** `language`: a BCP 47 tag such as `en` or `de-CH`. Loads what it needs when asked. */
export function stemmerFor(language: string): Stem {
  const code = new Intl.Locale(language).language;
  const name = names.get(code);
  if (code !== 'en' && name === undefined) return (folded) => folded;
  const { stemmer }: { stemmer: Stem } =
    name === undefined ? { stemmer: stemEnglish } : load(`@orama/stemmers/${name}`);
  return (folded) => (stemmable.test(folded) ? stemmer(folded) : folded);
}

/** Letters only: a version or an identifier has one form. */
const stemmable = /^[\p{L}\p{M}]{3,64}$/u;

const linesOf = (file: string): string[] =>
  readFileSync(new URL(`./english/${file}`, import.meta.url), 'utf8')
    .split(/\r?\n/)
    .filter((line) => line !== '' && !line.startsWith('#'));

/** Both ways, compared by stem. An entry of several words is found as a phrase. */
export const english: readonly (readonly string[])[] = linesOf('synonyms.txt').map((line) => line.split(', '));

/** They count little, so that a question typed as a sentence finds what its other words mean. */
export const stopWords: ReadonlySet<string> = new Set(linesOf('stop-words.txt').flatMap((line) => line.split(' ')));

/** Those of the language, as far as there are any, and the vendor's own. */
export const synonymsOf = (language: string, own: readonly (readonly string[])[]): readonly (readonly string[])[] =>
  /^en(-|$)/i.test(language) ? [...english, ...own] : own;

/** The stems of the common English words; null until a query has a word that the documents lack. */
let commonStems: ReadonlySet<string> | null = null;

/** Tells whether a folded word is one that English readers know, in any of its forms, such as `louder`. */
export function isCommonEnglish(folded: string): boolean {
  const stem = stemmerFor('en');
  commonStems ??= new Set(linesOf('common-words.txt').flatMap((line) => line.split(' ').map(stem)));
  return stopWords.has(folded) || commonStems.has(stem(folded));
}
