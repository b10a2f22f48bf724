/** The lists of a language: words that mean the same in software documentation, and words that say little in a query. */
import { readFileSync } from 'node:fs';

const linesOf = (file: string): string[] =>
  readFileSync(new URL(`./english/${file}`, import.meta.url), 'utf8')
    .split(/\r?\n/)
    .filter((line) => line !== '' && !line.startsWith('#'));

/** Both ways, compared by stem. An entry of several words is found as a phrase. */
export const english: readonly (readonly string[])[] = linesOf('synonyms.txt').map((line) => line.split(', '));

/** They count little, so that a question typed as a sentence finds what its other words mean. */
export const fillers: ReadonlySet<string> = new Set(linesOf('fillers.txt').flatMap((line) => line.split(' ')));

/** Those of the language, as far as there are any, and the vendor's own. */
export const synonymsOf = (language: string, own: readonly (readonly string[])[]): readonly (readonly string[])[] =>
  /^en(-|$)/i.test(language) ? [...english, ...own] : own;
