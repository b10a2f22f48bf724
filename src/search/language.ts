/** Provides the stemmer of a language, the synonyms, stop words and common words of English, and English for words of other languages. */
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { stemmer as stemEnglish } from '@orama/stemmers/english';
import { foldWords } from './words.ts';

/** A function that returns the stem of a folded word. */
export type Stem = (foldedWord: string) => string;

/** Names of the library's stemmers by ISO 639 code. The words of other languages are searched unchanged. */
const names: ReadonlyMap<string, string> = new Map(
  `ar arabic, bg bulgarian, da danish, de german, el greek, es spanish, fi finnish, fr french, ga irish, hu hungarian,
hy armenian, id indonesian, it italian, lt lithuanian, nb norwegian, ne nepali, nl dutch, no norwegian, pt portuguese,
ro romanian, ru russian, sr serbian, sv swedish, ta tamil, tr turkish, uk ukrainian`
    .split(/,\s/)
    .map((pair) => [pair.slice(0, 2), pair.slice(3)]),
);

const load = createRequire(import.meta.url);

/**
 * Returns the name to import of the module with the stemmer of a BCP 47 tag such as `de-CH`. Returns null for English, whose
 * stemmer is always loaded, and for a language without one. Throws a RangeError for a text that is no tag.
 */
export function findStemmerModule(language: string): string | null {
  const name = names.get(new Intl.Locale(language).language);
  return name === undefined ? null : `@orama/stemmers/${name}`;
}

/**
 * Returns the stemmer for a BCP 47 tag such as `en` or `de-CH`; that of a language without one changes nothing, and no stemmer
 * changes a word that `stemmable` does not match. Throws a RangeError for a text that is no tag. Only the stemmer of English is
 * loaded at the start; the call loads any other.
 */
export function createStemmer(language: string): Stem {
  const isEnglish = new Intl.Locale(language).language === 'en';
  const module = findStemmerModule(language);
  if (!isEnglish && module === null) return (foldedWord) => foldedWord;
  const { stemmer }: { stemmer: Stem } = module === null ? { stemmer: stemEnglish } : load(module);
  return (foldedWord) => (stemmable.test(foldedWord) ? stemmer(foldedWord) : foldedWord);
}

/** Matches words of letters. A version or an identifier has one form, so it is not stemmed. */
const stemmable = /^[\p{L}\p{M}]{3,64}$/u;

/** Returns the lines of a word list, a path within this folder, without empty lines and comments, which begin with `#`. */
export const readLines = (file: string): string[] =>
  readFileSync(new URL(file, import.meta.url), 'utf8')
    .split(/\r?\n/)
    .filter((line) => line !== '' && !line.startsWith('#'));

/** Groups of words or phrases, of which those of one group mean the same. */
type Groups = readonly (readonly string[])[];

/** Synonyms of English, one group an entry: each member finds the others. An entry of several words is found as a phrase. */
export const english: Groups = readLines('english/synonyms.txt').map((line) => line.split(', '));

/** Stop words of English. They count little, so that a question typed as a sentence is answered by its other words. */
export const stopWords: ReadonlySet<string> = new Set(
  readLines('english/stop-words.txt').flatMap((line) => line.split(' ')),
);

/** Returns the vendor's groups of synonyms (`ownGroups`), after the built-in ones if the language (a BCP 47 tag) is English. */
export const collectSynonyms = (language: string, ownGroups: Groups): Groups =>
  /^en(-|$)/i.test(language) ? [...english, ...ownGroups] : ownGroups;

/** Returns a function that returns the result of `read`, which it calls only the first time. */
function readOnce<T>(read: () => T): () => T {
  let value: T | null = null;
  return () => {
    value ??= read();
    return value;
  };
}

/** Returns the common English words with the stop words (`words`), and the stems of the common words alone (`stems`). */
const readCommonWords = readOnce(() => {
  const words = readLines('english/common-words.txt').flatMap((line) => line.split(' '));
  return { words: new Set([...words, ...stopWords]), stems: new Set(words.map(createStemmer('en'))) };
});

/** Returns whether a folded word is a stop word or has the stem of a common English word, such as `louder`. */
export const isCommonEnglish = (foldedWord: string): boolean =>
  stopWords.has(foldedWord) || readCommonWords().stems.has(createStemmer('en')(foldedWord));

/**
 * Returns a map from words and phrases of other languages, folded and separated by spaces, to their English, or '' for those that
 * mean nothing for search. English words of the lists map to themselves; the first line that has a phrase wins.
 */
const readTranslations = readOnce(() => {
  const lines = readdirSync(new URL('terms', import.meta.url)).flatMap((name) => readLines(`terms/${name}`));
  const entries = lines.toReversed().flatMap((line) => {
    const [english = '', phrases = ''] = line.split(' = ');
    const names = english === '-' ? phrases.split(', ') : [english, ...phrases.split(', ')];
    return names.map((name) => [foldWords(name).join(' '), english === '-' ? '' : english] as const);
  });
  return new Map(entries);
});

/** Functions that load the word lists, each in up to 25 ms, so that the first query that needs them does not wait. */
export const wordListLoaders: readonly (() => unknown)[] = [readTranslations, readCommonWords];

/** Maximum number of words of a phrase in the lists. */
const maxPhraseWords = 3;

/**
 * Finds the longest word or phrase at the beginning of folded words that a list of another language has, on either side. One that
 * is common English with another meaning, such as `die`, is not found.
 *
 * @returns its number of words and its English, '' if it means nothing for search, or null if none is found
 */
export function translate(words: readonly string[]): { readonly length: number; readonly english: string } | null {
  for (let length = Math.min(maxPhraseWords, words.length); length > 0; length -= 1) {
    const phrase = words.slice(0, length).join(' ');
    const english = readTranslations().get(phrase);
    // A word that is English as well, such as `die`, is read as English.
    if (english === undefined || (english !== phrase && readCommonWords().words.has(phrase))) continue;
    return { length, english };
  }
  return null;
}

/** Returns `english` itself, then all words and phrases of other languages that have this English in the lists, folded. */
export const listEquivalents = (english: string): string[] => [
  english,
  ...[...readTranslations()].flatMap(([phrase, meaning]) => (meaning === english ? phrase : [])),
];
