/** Parses a query into terms, and expands each by synonyms, corrections and the words that it begins. */

import { isCommonEnglish, listEquivalents, stopWords, translate } from './language.ts';
import type { Phrase, Synonym } from './reading.ts';
import { noTerm, type Vocabulary } from './vocabulary.ts';
import { foldWords } from './words.ts';

/** A term that a section may have for a query term, often that term itself, and the factor of its score. */
export interface Expansion {
  readonly term: number;
  readonly factor: number;
}

/** A word of the query, or several words that mean one thing. */
export interface QueryTerm {
  /** The terms of its words as they were typed or corrected; none for a word that the index lacks. */
  readonly typed: readonly number[];
  /** The term of the word or phrase, or `noTerm` if the index lacks it: it may be the beginning of a word, or half of one. */
  readonly term: number;
  readonly expansions: readonly Expansion[];
  readonly isStopWord: boolean;
}

/** A query as terms of an index. */
export interface Query {
  /** The terms of its words and phrases, without those of which no section has any expansion. */
  readonly terms: readonly QueryTerm[];
  /** The terms of each phrase of several words in quotes, which a section must have one after the other; `noTerm` for an unknown word. */
  readonly quoted: readonly (readonly number[])[];
  /** The phrases among the expansions, which excerpts mark. */
  readonly phrases: readonly Phrase[];
  /** The query that is searched if words were corrected or translated, otherwise null. */
  readonly searchedFor: string | null;
  /** Whether the query has words of another language, which were translated. */
  readonly isTranslated: boolean;
}

/** The parts of an index that a query is parsed with. */
export interface QueryReader {
  readonly vocabulary: Vocabulary;
  readonly synonyms: readonly Synonym[];
  /** Returns the number of sections that have a term. */
  countSections(term: number): number;
}

/** Factor of each kind of expansion, relative to the word as it was typed. */
const factors = {
  phrase: 1.3,
  correction: 0.7,
  synonym: 0.75,
  beginning: 0.5,
  /** A longer word than the one that was typed, which is a word itself. */
  longer: 0.25,
  partOfPhrase: 0.3,
};
/** Maximum number of words of a query that are used; questions have fewer. */
const maxTerms = 24;
/** Maximum number of words that are corrected, because finding the nearest word is the most expensive step. */
const maxCorrections = 8;
const quotes = /["\u201c\u201d\u201e]/;
const endsOpen = /[^\s"\u201c\u201d\u201e]$/;
const minHalfLength = 3;
/** Shorter beginnings are shared by words that have nothing to do with each other, such as `heat` and `hear`. */
const minSharedLetters = 5;
const maxBeginnings = 400;
/** Maximum number of words with the same beginning whose synonyms are searched; of more words, it is unclear which one is meant. */
const maxMeantBeginnings = 8;

/** A word of a query; its term is null if the index has no such word. */
interface Word {
  readonly folded: string;
  readonly term: number | null;
  /** The factor of its score, below 1 if it was corrected. */
  readonly factor: number;
  readonly quoted: boolean;
}

/** Returns the function that parses the text of a query into terms of the index; a text without words becomes a query without terms. */
export function createQueryReader({ vocabulary, synonyms, countSections }: QueryReader): (text: string) => Query {
  const entriesByFirst = Map.groupBy(synonyms, ({ words }) => words[0] ?? noTerm);
  const listSynonyms = (entry: Synonym): Synonym[] =>
    synonyms.filter((other) => other !== entry && other.groups.some((group) => entry.groups.includes(group)));

  /** Returns the longest entry that the words from `place` on begin with, or undefined. */
  const findEntry = (words: readonly Word[], place: number): Synonym | undefined =>
    (entriesByFirst.get(words[place]?.term ?? noTerm) ?? [])
      .filter((entry) =>
        entry.words.every((term, next) => words[place + next]?.term === term && !words[place + next]?.quoted),
      )
      .toSorted((a, b) => b.words.length - a.words.length)[0];

  /**
   * Returns expansions for the beginning of a word: `beginnings`, the terms of the words that begin so, and if they are few, their
   * synonyms.
   */
  const expandBeginning = (beginnings: readonly number[], factor: number): Expansion[] =>
    beginnings.flatMap((term) => {
      const entries = beginnings.length > maxMeantBeginnings ? [] : (entriesByFirst.get(term) ?? []);
      const synonyms = entries.filter(({ words }) => words.length === 1).flatMap(listSynonyms);
      return [{ term, factor }, ...synonyms.map((other) => ({ term: other.term, factor: factor * factors.synonym }))];
    });

  /**
   * Returns an expansion for each compound of a word with the one before or after it, such as `handsfree` for `hands free`; its
   * term is `noTerm` if the index lacks the compound.
   */
  const expandCompounds = (words: readonly Word[], place: number): Expansion[] =>
    [words.slice(Math.max(0, place - 1), place + 1), words.slice(place, place + 2)]
      .filter((pair) => pair.length === 2 && !pair.some(({ quoted }) => quoted))
      .map((pair) => vocabulary.findTerm(pair.map(({ folded }) => folded).join('')))
      .map((term) => ({ term: term ?? noTerm, factor: 1 }));

  const readTerm = (words: readonly Word[], place: number, word: Word, beginnings: readonly number[]) => {
    const entry = word.quoted ? undefined : findEntry(words, place);
    const length = entry?.words.length ?? 1;
    const parts = words.slice(place, place + length).filter(({ folded }) => length === 1 || !stopWords.has(folded));
    const typedTerms = parts.flatMap((part) => part.term ?? []);
    const term = entry?.term ?? word.term ?? noTerm;
    const expansions = [
      ...(length > 1
        ? [
            { term, factor: factors.phrase },
            ...typedTerms.map((part) => ({ term: part, factor: factors.partOfPhrase })),
          ]
        : [{ term: word.term ?? noTerm, factor: word.factor }, ...expandCompounds(words, place)]),
      ...(entry === undefined ? [] : listSynonyms(entry)).map((other) => ({
        term: other.term,
        factor: word.factor * factors.synonym,
      })),
      ...(place + length === words.length
        ? expandBeginning(beginnings, countSections(term) > 0 ? factors.longer : factors.beginning)
        : []),
    ].filter((expansion) => expansion.term !== noTerm && countSections(expansion.term) > 0);
    const isStopWord = length === 1 && !word.quoted && stopWords.has(word.folded);
    return { typed: typedTerms, term, expansions: keepStrongest(expansions, term), isStopWord, length };
  };

  return (text) => {
    const { words, open, ...read } = readWords(text, vocabulary);
    const last = words.at(-1);
    const canBegin = last !== undefined && open && isLongEnough(last.folded);
    const beginnings = canBegin ? vocabulary.termsBeginning(last.folded).filter((term) => term !== last.term) : [];
    const terms = new Map<string, QueryTerm>();
    let end = 0;
    for (const [place, word] of words.entries()) {
      if (place < end) continue;
      const { length, ...term } = readTerm(words, place, word, beginnings.length > maxBeginnings ? [] : beginnings);
      if (term.expansions.length > 0) terms.set(term.expansions.map((expansion) => expansion.term).join(' '), term);
      end = place + length;
    }
    const searchedTerms = new Set([...terms.values()].flatMap(({ expansions }) => expansions.map(({ term }) => term)));
    const phrases = synonyms.filter((entry) => entry.words.length > 1 && searchedTerms.has(entry.term));
    return { ...read, terms: [...terms.values()], phrases };
  };
}

/** Returns whether a word may be the beginning of others: it has two letters, or one that is not Latin, which may be a whole word. */
const isLongEnough = (foldedWord: string): boolean => foldedWord.length >= 2 || foldedWord > '\u024f';

/** Returns each term once, at its highest factor. `ownTerm`, the term of the word as typed, comes first if it is among them. */
function keepStrongest(expansions: readonly Expansion[], ownTerm: number): Expansion[] {
  const best = new Map<number, number>();
  for (const { term, factor } of expansions) best.set(term, Math.max(factor, best.get(term) ?? 0));
  const strongest = [...best].map(([term, factor]) => ({ term, factor }));
  return strongest.sort((a, b) => Number(b.term === ownTerm) - Number(a.term === ownTerm));
}

/**
 * Reads the words of a query, at most `maxTerms`, with `quoted`, `searchedFor` and `isTranslated` as `Query` has them. Words that
 * the index lacks are translated, split into two known words, or corrected, and otherwise stay. `open` is whether the last word may
 * be incomplete.
 */
function readWords(text: string, vocabulary: Vocabulary) {
  const { words, quoted } = collectWords(text, vocabulary);
  const open = endsOpen.test(text);
  let corrections = 0;
  let isCorrected = false;
  let translatedEnd = 0;
  const readWords = words.flatMap((word, place): Word[] => {
    if (place < translatedEnd) return [];
    if (word.term !== null) return [word];
    const translation = findTranslation(words.slice(place), vocabulary);
    if (translation !== null) {
      translatedEnd = place + translation.length;
      return translation.words;
    }
    if (open && place === words.length - 1 && vocabulary.termsBeginning(word.folded).length > 0) return [word];
    const halves = splitCompound(word, vocabulary);
    if (halves !== null) return halves;
    corrections += 1;
    const nearest = corrections > maxCorrections ? null : vocabulary.nearest(word.folded);
    if (nearest === null) return [word];
    const replacement = { ...word, term: vocabulary.findTerm(nearest), factor: factors.correction };
    // A common word was meant as it is: `loud` is no slip for `cloud`. Only a form of the same word replaces it, as `health` for `healthy`.
    if (isCommonEnglish(word.folded)) return [areForms(word.folded, nearest) ? replacement : word];
    isCorrected = true;
    return [{ ...replacement, folded: nearest }];
  });
  const isTranslated = translatedEnd > 0;
  return {
    words: readWords.slice(0, maxTerms),
    quoted,
    searchedFor: isCorrected || isTranslated ? readWords.map(({ folded }) => folded).join(' ') : null,
    isTranslated,
    /** Whether the last word may be incomplete. */
    open,
  };
}

/**
 * Returns the words of a query as they were typed, folded and at most `maxTerms`, and the terms of each phrase of several of them
 * in quotes (`quoted`), with `noTerm` for an unknown word.
 */
function collectWords(text: string, vocabulary: Vocabulary) {
  const words: Word[] = [];
  const phrases: number[][] = [];
  for (const [number, part] of expandContractions(text).split(quotes).entries()) {
    const isQuoted = number % 2 === 1;
    const foldedWords = foldWords(part).slice(0, maxTerms - words.length);
    const terms = foldedWords.map((word) => vocabulary.findTerm(word));
    words.push(
      ...foldedWords.map((word, place) => ({ folded: word, term: terms[place] ?? null, factor: 1, quoted: isQuoted })),
    );
    if (isQuoted && terms.length > 1) phrases.push(terms.map((term) => term ?? noTerm));
  }
  return { words, quoted: phrases };
}

/**
 * Returns how many of the words, from the first on, are a word or phrase of another language, and what they are in the index: no
 * words if they mean nothing for search. Returns null if there is no such phrase, if its first word is in quotes, or if the index
 * lacks what it means.
 */
function findTranslation(words: readonly Word[], vocabulary: Vocabulary): { length: number; words: Word[] } | null {
  const [first] = words;
  const translation = first === undefined || first.quoted ? null : translate(words.map(({ folded }) => folded));
  if (first === undefined || translation === null) return null;
  const { length, english } = translation;
  if (english === '') return { length, words: [] };
  const foldedWord = listEquivalents(english).find((name) => vocabulary.findTerm(name) !== null);
  return foldedWord === undefined
    ? null
    : { length, words: [{ ...first, folded: foldedWord, term: vocabulary.findTerm(foldedWord) }] };
}

/** Returns whether two words have the same first `minSharedLetters` letters, and so differ only in their endings. */
const areForms = (one: string, other: string): boolean =>
  one.slice(0, minSharedLetters) === other.slice(0, minSharedLetters);

/** Returns a text with "does not" for "doesn't", and with the words of a verb together: "set it up" becomes "set up it". */
const expandContractions = (text: string): string =>
  text
    .replace(/\bcan['’]t\b/gi, 'can not')
    .replace(/\bwon['’]t\b/gi, 'will not')
    .replace(/n['’]t\b/gi, ' not')
    .replace(splitVerb, '$1 $3 $2');

const splitVerb =
  /\b(set|turn|switch|log|sign|back|take|throw|get|free) (it|this|that|them|everything|me) (up|off|on|in|out|back|away)\b/gi;

/**
 * Returns the two words, of three characters or more each, of a compound such as `handsfree`, if documents have both, or null. The
 * longest first word wins.
 */
function splitCompound(word: Word, vocabulary: Vocabulary): Word[] | null {
  const { folded } = word;
  for (let offset = folded.length - minHalfLength; offset >= minHalfLength; offset -= 1) {
    const halves = [folded.slice(0, offset), folded.slice(offset)];
    if (!halves.every((half) => vocabulary.hasWord(half))) continue;
    return halves.map((half) => ({ ...word, folded: half, term: vocabulary.findTerm(half) }));
  }
  return null;
}
