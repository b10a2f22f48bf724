/** Parses a query into terms, and expands each by synonyms, corrections and the words that it begins. */

import { isCommonEnglish, stopWords } from './language.ts';
import type { Phrase, Synonym } from './reading.ts';
import { noTerm, type Vocabulary } from './vocabulary.ts';
import { eachWord, fold } from './words.ts';

/** A term by which a query term may be found, and the factor of its score. */
export interface Expansion {
  readonly term: number;
  readonly factor: number;
}

/** A word of the query, or several words that mean one thing. */
export interface QueryTerm {
  /** Terms of its words as typed or corrected. */
  readonly typed: readonly number[];
  /** Its own term, or `noTerm` if it is only the beginning of a word. */
  readonly term: number;
  readonly expansions: readonly Expansion[];
  readonly isStopWord: boolean;
}

export interface Query {
  readonly terms: readonly QueryTerm[];
  /** The words in quotes, which a section must have one after the other. */
  readonly quoted: readonly (readonly number[])[];
  /** Phrases that count as found where they stand, by which excerpts are marked. */
  readonly phrases: readonly Phrase[];
  /** What is searched, when words were corrected. */
  readonly searchedFor: string | null;
}

export interface QueryReader {
  readonly vocabulary: Vocabulary;
  readonly synonyms: readonly Synonym[];
  /** In how many sections a term stands. */
  countOf(term: number): number;
}

/** Factor of each kind of expansion, relative to the word as it was typed. */
const factors = {
  phrase: 1.3,
  correction: 0.7,
  synonym: 0.75,
  beginning: 0.5,
  /** When what was typed is a word itself. */
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

interface Word {
  readonly folded: string;
  readonly term: number | null;
  readonly factor: number;
  readonly quoted: boolean;
}

export function createQueryReader({ vocabulary, synonyms, countOf }: QueryReader): (text: string) => Query {
  const byFirst = new Map<number, Synonym[]>();
  const byGroup = new Map<number, Synonym[]>();
  for (const entry of synonyms) {
    const first = entry.words[0] ?? noTerm;
    byFirst.set(first, [...(byFirst.get(first) ?? []), entry]);
    for (const group of entry.groups) byGroup.set(group, [...(byGroup.get(group) ?? []), entry]);
  }
  const others = (entry: Synonym): Synonym[] =>
    entry.groups.flatMap((group) => byGroup.get(group) ?? []).filter((other) => other !== entry);

  /** The longest entry that the words from `at` on begin with. */
  const entryAt = (words: readonly Word[], at: number): Synonym | null => {
    let best: Synonym | null = null;
    for (const entry of byFirst.get(words[at]?.term ?? noTerm) ?? []) {
      const fits = entry.words.every((term, next) => words[at + next]?.term === term && !words[at + next]?.quoted);
      if (fits && entry.words.length > (best?.words.length ?? 0)) best = entry;
    }
    return best;
  };

  const termAt = (
    words: readonly Word[],
    at: number,
    beginnings: readonly number[],
  ): QueryTerm & { length: number } => {
    const word = words[at] ?? { folded: '', term: null, factor: 1, quoted: false };
    const entry = word.quoted ? null : entryAt(words, at);
    const length = entry?.words.length ?? 1;
    const term = entry?.term ?? word.term ?? noTerm;
    const expansions: Expansion[] = [];
    if (length > 1) {
      expansions.push({ term, factor: factors.phrase });
      for (const part of words.slice(at, at + length)) {
        if (part.term !== null && !stopWords.has(part.folded)) {
          expansions.push({ term: part.term, factor: factors.partOfPhrase });
        }
      }
    } else {
      if (word.term !== null) expansions.push({ term: word.term, factor: word.factor });
      for (const neighbour of [words[at - 1], words[at + 1]]) {
        if (neighbour === undefined || neighbour.quoted || word.quoted) continue;
        const pair = neighbour === words[at - 1] ? [neighbour, word] : [word, neighbour];
        const joined = vocabulary.termOf(pair.map(({ folded }) => folded).join(''));
        if (joined !== null) expansions.push({ term: joined, factor: 1 });
      }
    }
    for (const other of entry === null ? [] : others(entry)) {
      expansions.push({ term: other.term, factor: word.factor * factors.synonym });
    }
    if (at + length === words.length) {
      const factor = countOf(term) > 0 ? factors.longer : factors.beginning;
      for (const begun of beginnings) {
        expansions.push({ term: begun, factor });
        if (beginnings.length > maxMeantBeginnings) continue;
        for (const { term: other } of (byFirst.get(begun) ?? []).filter(isSingle).flatMap(others)) {
          expansions.push({ term: other, factor: factor * factors.synonym });
        }
      }
    }
    return {
      typed: words
        .slice(at, at + length)
        .flatMap((part) => (length > 1 && stopWords.has(part.folded) ? [] : (part.term ?? []))),
      term,
      expansions: strongest(expansions, term, countOf),
      isStopWord: length === 1 && !word.quoted && stopWords.has(word.folded),
      length,
    };
  };

  return (text) => {
    const { words, quoted, searchedFor, open } = wordsOf(text, vocabulary);
    const last = words.at(-1);
    const beginnings =
      last !== undefined && open && isLongEnough(last.folded)
        ? vocabulary.termsBeginning(last.folded).filter((term) => term !== last.term)
        : [];
    const terms = new Map<string, QueryTerm>();
    const phrases: Phrase[] = [];
    for (let at = 0; at < words.length; ) {
      const queryTerm = termAt(words, at, beginnings.length > maxBeginnings ? [] : beginnings);
      if (queryTerm.expansions.length > 0) terms.set(queryTerm.expansions.map(({ term }) => term).join(' '), queryTerm);
      at += queryTerm.length;
    }
    const found = new Set([...terms.values()].flatMap(({ expansions }) => expansions.map(({ term }) => term)));
    for (const entry of synonyms) if (entry.words.length > 1 && found.has(entry.term)) phrases.push(entry);
    return { terms: [...terms.values()], quoted, phrases, searchedFor };
  };
}

/** Above this a beginning is of too many words to mean one of them. */
const maxMeantBeginnings = 8;
const isSingle = ({ words }: Synonym): boolean => words.length === 1;

/** One sign of a script without spaces is often a whole word, so that it may stand for a beginning. */
const isLongEnough = (folded: string): boolean => folded.length >= 2 || folded > '\u024f';

/** Each term once, at its highest factor, and only what some section has; the concept's own comes first. */
function strongest(
  expansions: readonly Expansion[],
  own: number,
  countOf: (term: number) => number,
): readonly Expansion[] {
  const best = new Map<number, number>();
  for (const { term, factor } of expansions) {
    if (countOf(term) > 0 && factor > (best.get(term) ?? 0)) best.set(term, factor);
  }
  return [...best]
    .map(([term, factor]) => ({ term, factor }))
    .sort((a, b) => Number(b.term === own) - Number(a.term === own));
}

/** The words of the query, those that are unknown split into two that are known or corrected. */
function wordsOf(text: string, vocabulary: Vocabulary) {
  const words: Word[] = [];
  const quoted: number[][] = [];
  let corrections = 0;
  let corrected = false;
  const open = endsOpen.test(text);
  for (const [at, part] of plainly(text).split(quotes).entries()) {
    const isQuoted = at % 2 === 1;
    const phrase: number[] = [];
    eachWord(part, (start, end) => {
      const folded = fold(part.slice(start, end));
      if (folded === '' || words.length >= maxTerms) return;
      const term = vocabulary.termOf(folded);
      if (isQuoted) phrase.push(term ?? noTerm);
      words.push({ folded, term, factor: 1, quoted: isQuoted });
    });
    if (phrase.length > 1) quoted.push(phrase);
  }
  const read = words.flatMap((word, at): Word[] => {
    if (word.term !== null) return [word];
    if (open && at === words.length - 1 && vocabulary.termsBeginning(word.folded).length > 0) return [word];
    const halves = halvesOf(word, vocabulary);
    if (halves !== null) return halves;
    corrections += 1;
    const nearest = corrections > maxCorrections ? null : vocabulary.nearest(word.folded);
    if (nearest === null) return [word];
    const replacement = { ...word, term: vocabulary.termOf(nearest), factor: factors.correction };
    // A word that readers know was meant as it is: `loud` is no slip for `cloud`. Only other forms of it are searched, as `health` for `healthy`.
    if (isCommonEnglish(word.folded)) return [areForms(word.folded, nearest) ? replacement : word];
    corrected = true;
    return [{ ...replacement, folded: nearest }];
  });
  return {
    words: read.slice(0, maxTerms),
    quoted,
    searchedFor: corrected ? read.map(({ folded }) => folded).join(' ') : null,
    /** Whether the last word may be incomplete. */
    open,
  };
}

/** Tells whether two words differ only in their endings. */
const areForms = (one: string, other: string): boolean =>
  one.slice(0, minSharedLetters) === other.slice(0, minSharedLetters);

/** "doesn't" and "can't" as the words that they are made of, and "set it up" as the verb that it is of. */
const plainly = (text: string): string =>
  text
    .replace(/\bcan['’]t\b/gi, 'can not')
    .replace(/\bwon['’]t\b/gi, 'will not')
    .replace(/n['’]t\b/gi, ' not')
    .replace(parted, '$1 $3 $2');

const parted =
  /\b(set|turn|switch|log|sign|back|take|throw|get|free) (it|this|that|them|everything|me) (up|off|on|in|out|back|away)\b/gi;

/** A word without its space, as `handsfree`. */
function halvesOf(word: Word, vocabulary: Vocabulary): Word[] | null {
  const { folded } = word;
  for (let at = folded.length - minHalfLength; at >= minHalfLength; at -= 1) {
    const halves = [folded.slice(0, at), folded.slice(at)];
    if (!halves.every((half) => vocabulary.hasWord(half))) continue;
    return halves.map((half) => ({ ...word, folded: half, term: vocabulary.termOf(half) }));
  }
  return null;
}
