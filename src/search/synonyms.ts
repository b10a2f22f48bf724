/** The lists of a language: words that mean the same in software documentation, words that say little in a query, and common words. */
import { readFileSync } from 'node:fs';
import { stemmerFor } from './stemmer.ts';

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
