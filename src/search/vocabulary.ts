/** The words of an index: the term of each, which of them begin alike, and which is nearest to one that is unknown. */
import { editDistance } from '../base/near-miss.ts';
import type { Stem } from './language.ts';
import { fold } from './words.ts';

/** Not a term: stands where a text has a word of which folding leaves nothing. */
export const noTerm = 0;

export interface VocabularyData {
  /** One more than the greatest number of a term. */
  readonly termCount: number;
  /** Folded, sorted, one a line. */
  readonly words: string;
  /** By word. */
  readonly wordTerms: Uint32Array;
  /** How often each stands in the documents; 0 for words that only synonyms have. */
  readonly wordCounts: Uint32Array;
  /** Sorted, one a line. */
  readonly stems: string;
  /** By stem. */
  readonly stemTerms: Uint32Array;
}

export interface LearnedWord {
  readonly folded: string;
  readonly term: number;
  count: number;
}

export type VocabularyBuilder = ReturnType<typeof createVocabularyBuilder>;

export function createVocabularyBuilder(stem: Stem) {
  /** By how it is spelled; null when nothing of it is left after folding. */
  const spellings = new Map<string, LearnedWord | null>();
  const byFolded = new Map<string, LearnedWord>();
  const terms = new Map<string, number>();
  /** By the term of a word in camelCase, the terms of its parts. */
  const parts: Map<number, readonly number[]> = new Map();
  let termCount = noTerm + 1;

  const wordOf = (folded: string): LearnedWord => {
    const known = byFolded.get(folded);
    if (known !== undefined) return known;
    const name = stem(folded);
    const term = terms.get(name) ?? termCount++;
    terms.set(name, term);
    const word = { folded, term, count: 0 };
    byFolded.set(folded, word);
    return word;
  };
  /** Null when nothing of it is left after folding. */
  const learn = (spelling: string): LearnedWord | null => {
    const known = spellings.get(spelling);
    if (known !== undefined) return known;
    const folded = fold(spelling);
    const word = folded === '' ? null : wordOf(folded);
    spellings.set(spelling, word);
    if (word !== null && inCamelCase.test(spelling)) {
      parts.set(
        word.term,
        spelling.split(camelBound).flatMap((part) => learn(part)?.term ?? []),
      );
    }
    return word;
  };

  return {
    learn,
    parts,
    /** A number for what is no word: a phrase. */
    addTerm: () => termCount++,
    finish(): VocabularyData {
      const words = [...byFolded.values()].sort((a, b) => (a.folded < b.folded ? -1 : 1));
      const stems = [...terms].sort(([a], [b]) => (a < b ? -1 : 1));
      return {
        termCount,
        words: words.map(({ folded }) => folded).join('\n'),
        wordTerms: Uint32Array.from(words, ({ term }) => term),
        wordCounts: Uint32Array.from(words, ({ count }) => count),
        stems: stems.map(([name]) => name).join('\n'),
        stemTerms: Uint32Array.from(stems, ([, term]) => term),
      };
    },
  };
}

const inCamelCase = /\p{Ll}\p{Lu}/u;
const camelBound = /(?<=\p{Ll})(?=\p{Lu})/u;

export type Vocabulary = ReturnType<typeof openVocabulary>;

export function openVocabulary(data: VocabularyData, stem: Stem) {
  const { wordTerms, wordCounts, stemTerms } = data;
  const words = data.words.split('\n');
  const stems = data.stems.split('\n');
  return {
    /** The term of a folded word, or null. */
    termOf(folded: string): number | null {
      const name = stem(folded);
      const at = lowerBound(stems, name);
      return stems[at] === name ? (stemTerms[at] ?? null) : null;
    },
    /** Whether a document has a word of this spelling. */
    hasWord(folded: string): boolean {
      const at = lowerBound(words, folded);
      return words[at] === folded && (wordCounts[at] ?? 0) > 0;
    },
    /** The terms of all words that begin so, each once. */
    termsBeginning(folded: string): Uint32Array<ArrayBuffer> {
      const first = lowerBound(words, folded);
      let end = first;
      while (words[end]?.startsWith(folded)) end += 1;
      return Uint32Array.from(new Set(wordTerms.subarray(first, end)));
    },
    /** Returns the nearest word within a few edits, or null; the most frequent of equally near ones. */
    nearest(folded: string): string | null {
      const limit = maxEdits(folded);
      if (limit === 0) return null;
      let best = -1;
      let bestRank = Number.POSITIVE_INFINITY;
      for (const [at, word] of words.entries()) {
        const sharesFirst = word[0] === folded[0];
        // A word with another first letter is a slip only if that letter is the single mistake.
        if (Math.abs(word.length - folded.length) > limit || (!sharesFirst && !isNearWithout(word, folded))) continue;
        const distance = editDistance(folded, word, limit);
        if (distance > (sharesFirst ? limit : 1)) continue;
        const rank = 2 * distance + (sharesFirst ? 0 : 1);
        if (rank < bestRank || (rank === bestRank && (wordCounts[at] ?? 0) > (wordCounts[best] ?? 0))) {
          best = at;
          bestRank = rank;
        }
      }
      return words[best] ?? null;
    },
  };
}

/** Tells whether two words differ only in their first letters: one more, one less, another one, or two swapped. */
const isNearWithout = (one: string, other: string): boolean =>
  one.slice(1) === other.slice(1) ||
  one.slice(1) === other ||
  one === other.slice(1) ||
  (one[0] === other[1] && one[1] === other[0] && one.slice(2) === other.slice(2));

/** Returns how many edits a correction may have: none below four letters, where every word is near another, and two from eight letters on. */
function maxEdits(folded: string): number {
  if (folded.length < 4 || folded.length > 40 || /\d/.test(folded)) return 0;
  return folded.length < 8 ? 1 : 2;
}

function lowerBound(sorted: readonly string[], value: string): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? '') < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
