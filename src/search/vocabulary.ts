/** The words of an index: the term of each, the terms of words that begin alike, and the word nearest to an unknown one. */
import { editDistance } from '../base/near-miss.ts';
import type { Stem } from './language.ts';
import { fold } from './words.ts';

/** The term of a word of which folding leaves nothing. No document is found by it. */
export const noTerm = 0;

/** The vocabulary as plain data. */
export interface VocabularyData {
  /** The folded words, sorted, one a line. */
  readonly words: string;
  /** The term of each word. */
  readonly wordTerms: Uint32Array;
  /** How often each word occurs in the documents; 0 for words that only synonyms have. */
  readonly wordCounts: Uint32Array;
  /**
   * The name of each term, one a line in the order of their numbers: a stem, or `phrase` and the terms of its words. The first is
   * '', that of `noTerm`.
   */
  readonly termNames: string;
}

/** A word of the documents or the synonyms. */
export interface LearnedWord {
  readonly folded: string;
  readonly term: number;
  /** How often the documents have it so far. */
  count: number;
}

/** A vocabulary that is still growing, as `createVocabularyBuilder` returns it. */
export type VocabularyBuilder = ReturnType<typeof createVocabularyBuilder>;

/**
 * Creates an empty vocabulary, which gives each stem and each phrase a number, its term: `learn` adds a word, whose `count` is left
 * to the caller, `learnTerm` a term, and `finish` returns all of it as plain data. `parts` has the terms of the parts of each word
 * in camelCase, by the word's term, and `countTerms` returns the number of terms.
 */
export function createVocabularyBuilder(stem: Stem) {
  /** Caches words by spelling, because most occur often; null for a spelling of which folding leaves nothing. */
  const spellings = new Map<string, LearnedWord | null>();
  const words = new Map<string, LearnedWord>();
  const terms = new Map<string, number>([['', noTerm]]);
  /** The terms of the parts of each word in camelCase, by the word's term. */
  const parts = new Map<number, readonly number[]>();

  /** Returns the term with a name as `termNames` has it, and adds it if it is new. */
  const learnTerm = (name: string): number => {
    const term = terms.get(name) ?? terms.size;
    terms.set(name, term);
    return term;
  };
  /**
   * Returns the word with a spelling, added if it is new, as are the parts of one in camelCase, or null if nothing is left of it
   * after folding.
   */
  const learn = (spelling: string): LearnedWord | null => {
    const knownWord = spellings.get(spelling);
    if (knownWord !== undefined) return knownWord;
    const foldedWord = fold(spelling);
    const word =
      foldedWord === ''
        ? null
        : (words.get(foldedWord) ?? { folded: foldedWord, term: learnTerm(stem(foldedWord)), count: 0 });
    spellings.set(spelling, word);
    if (word === null) return null;
    words.set(foldedWord, word);
    if (inCamelCase.test(spelling)) {
      const partTerms = spelling.split(camelBound).flatMap((part) => learn(part)?.term ?? []);
      parts.set(word.term, partTerms);
    }
    return word;
  };

  return {
    learn,
    learnTerm,
    parts,
    countTerms: () => terms.size,
    finish(): VocabularyData {
      const sortedWords = [...words.values()].sort((a, b) => (a.folded < b.folded ? -1 : 1));
      return {
        words: sortedWords.map(({ folded }) => folded).join('\n'),
        wordTerms: Uint32Array.from(sortedWords, ({ term }) => term),
        wordCounts: Uint32Array.from(sortedWords, ({ count }) => count),
        termNames: [...terms.keys()].join('\n'),
      };
    },
  };
}

const inCamelCase = /\p{Ll}\p{Lu}/u;
const camelBound = /(?<=\p{Ll})(?=\p{Lu})/u;

/** A vocabulary that is ready for lookups of folded words. */
export type Vocabulary = ReturnType<typeof openVocabulary>;

/**
 * Opens a vocabulary to look up folded words: the term of the stem of one, which documents or synonyms have, whether a document has
 * the word itself, the terms of those that begin with it, and the nearest one. What is unknown gives null, false or an empty list.
 * `stem` is the stemmer that it was built with.
 */
export function openVocabulary({ words: lines, wordTerms, wordCounts, termNames }: VocabularyData, stem: Stem) {
  const words = lines.split('\n');
  const numbers = new Map(words.map((word, number) => [word, number]));
  const terms = new Map(termNames.split('\n').map((name, term) => [name, term]));
  return {
    /** Returns the term of a folded word, or null if neither documents nor synonyms have a word with its stem. */
    findTerm: (foldedWord: string): number | null => terms.get(stem(foldedWord)) ?? null,
    /** Returns whether a document has this folded word itself, and not only one with its stem. */
    hasWord: (foldedWord: string): boolean => (wordCounts[numbers.get(foldedWord) ?? -1] ?? 0) > 0,
    /** Returns the terms of all words that begin with `foldedWord`, each once. */
    termsBeginning(foldedWord: string): number[] {
      const first = words.findIndex((word) => word >= foldedWord);
      const matches = new Set<number>();
      for (let number = first; words[number]?.startsWith(foldedWord); number += 1)
        matches.add(wordTerms[number] ?? noTerm);
      return [...matches];
    },
    /**
     * Returns the nearest word within the edits of `computeMaxEdits`, which is the word itself if it is known, and the most
     * frequent of equally near ones. Returns null for none, and for a word that may have no edits.
     */
    nearest(foldedWord: string): string | null {
      const limit = computeMaxEdits(foldedWord);
      if (limit === 0) return null;
      let best = -1;
      let bestRank = Number.POSITIVE_INFINITY;
      const afterSecond = foldedWord.slice(2);
      for (let number = 0; number < words.length; number += 1) {
        const word = words[number] ?? '';
        // A word with another first letter is a correction only if that letter is the single mistake.
        const sharesFirst = word[0] === foldedWord[0];
        const maxDistance = sharesFirst ? limit : 1;
        if (!sharesFirst && !word.endsWith(afterSecond)) continue;
        const distance = editDistance(foldedWord, word, maxDistance);
        const rank = 2 * distance + (sharesFirst ? 0 : 1);
        if (distance > maxDistance || rank > bestRank) continue;
        if (rank < bestRank || (wordCounts[number] ?? 0) > (wordCounts[best] ?? 0)) {
          best = number;
          bestRank = rank;
        }
      }
      return words[best] ?? null;
    },
  };
}

/**
 * Returns how many edits a correction may have: none below four letters, where every word is near another, none above 40 or with a
 * digit, one up to seven letters, and two from eight on.
 */
function computeMaxEdits(foldedWord: string): number {
  if (foldedWord.length < 4 || foldedWord.length > 40 || /\d/.test(foldedWord)) return 0;
  return foldedWord.length < 8 ? 1 : 2;
}
