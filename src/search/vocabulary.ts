/** The words of an index: the term of each, which of them begin alike, and which is nearest to one that is not there. */
import { editDistance } from '../base/near-miss.ts';
import { createSpellings } from './spellings.ts';
import { firstTerm } from './token-stream.ts';
import { fold, termOf } from './words.ts';

/** A word as it is written, folded, and the number of the term that it is indexed under; null when no document has it. */
export interface Word {
  readonly folded: string;
  readonly term: number | null;
}

export interface Vocabulary {
  /** One more than the greatest number of a term. */
  readonly termCount: number;
  /** The word for a piece of text that `eachWord` found; null when nothing of it is left after folding. */
  wordOf(text: string): Word | null;
  /** How often the term stands in the documents. */
  countOf(term: number): number;
  /** The terms of all words that begin so, each once; the beginning is folded. */
  termsBeginning(folded: string): Uint32Array;
  /** The nearest indexed word within a few edits, or null; among equally near ones the most frequent. */
  nearest(folded: string): Word | null;
}

/** Takes in the words of documents one by one; `finish` gives what can be asked about them. */
export interface VocabularyBuilder {
  /** The number of the term of a word that `eachWord` found in a text; null when nothing of it is left after folding. */
  learn(text: string, start: number, end: number): number | null;
  finish(): Vocabulary;
}

export function createVocabularyBuilder(): VocabularyBuilder {
  const spellings = createSpellings();
  const bySpelling: (Entry | null)[] = [];
  const byFolded = new Map<string, Entry>();
  const numbers = new Map<string, number>();
  const numberOf = (name: string): number => {
    let number = numbers.get(name);
    if (number === undefined) {
      number = firstTerm + numbers.size;
      numbers.set(name, number);
    }
    return number;
  };
  const entryOf = (spelling: string): Entry | null => {
    const folded = fold(spelling);
    if (folded === '') return null;
    let entry = byFolded.get(folded);
    if (entry === undefined) {
      entry = { folded, term: numberOf(termOf(folded)), count: 0 };
      byFolded.set(folded, entry);
    }
    return entry;
  };
  return {
    learn(text, start, end) {
      let number = spellings.find(text, start, end);
      if (number === -1) {
        number = spellings.add();
        bySpelling.push(entryOf(text.slice(start, end)));
      }
      const entry = bySpelling[number] ?? null;
      if (entry === null) return null;
      entry.count += 1;
      return entry.term;
    },
    finish: () => vocabularyOf([...byFolded.values()], numbers),
  };
}

interface Entry {
  readonly folded: string;
  readonly term: number;
  count: number;
}

/** How many words one search for the nearest may compare letter by letter. */
const mostDistances = 2000;

function vocabularyOf(entries: Entry[], numbers: ReadonlyMap<string, number>): Vocabulary {
  entries.sort((a, b) => (a.folded < b.folded ? -1 : 1));
  const termCount = firstTerm + numbers.size;
  const words = entries.map(({ folded }) => folded);
  const terms = Uint32Array.from(entries, ({ term }) => term);
  const counts = Uint32Array.from(entries, ({ count }) => count);
  const letters = Uint32Array.from(words, lettersOf);
  const lengths = Uint32Array.from(words, ({ length }) => length);
  const termCounts = new Uint32Array(termCount);
  for (const { term, count } of entries) termCounts[term] = (termCounts[term] ?? 0) + count;

  return {
    termCount,

    wordOf(text) {
      const folded = fold(text);
      return folded === '' ? null : { folded, term: numbers.get(termOf(folded)) ?? null };
    },

    countOf: (term) => termCounts[term] ?? 0,

    termsBeginning(folded) {
      const first = lowerBound(words, folded);
      let end = first;
      while (words[end]?.startsWith(folded)) end += 1;
      const found = terms.slice(first, end).sort();
      let size = 0;
      for (const term of found) {
        if (size > 0 && found[size - 1] === term) continue;
        found[size] = term;
        size += 1;
      }
      return found.subarray(0, size);
    },

    nearest(folded) {
      const limit = editsAllowed(folded);
      if (limit === 0) return null;
      const wanted = lettersOf(folded);
      let distances = 0;
      let best = -1;
      let bestRank = Number.POSITIVE_INFINITY;
      for (let at = 0; at < words.length && distances < mostDistances; at += 1) {
        if (Math.abs((lengths[at] ?? 0) - folded.length) > limit) continue;
        // An edit adds one letter, takes one away, or both: whatever differs in more letters is farther off.
        if (bitsIn((letters[at] ?? 0) ^ wanted) > 2 * limit) continue;
        const word = words[at] ?? '';
        distances += 1;
        const distance = editDistance(folded, word, limit);
        const elsewhere = word[0] === folded[0] ? 0 : 1;
        // Two edits that also change the first letter make another word of it: uninstall is no slip for install.
        if (distance > limit - elsewhere && distance !== 1) continue;
        const rank = 2 * distance + elsewhere;
        if (rank < bestRank || (rank === bestRank && (counts[at] ?? 0) > (counts[best] ?? 0))) {
          best = at;
          bestRank = rank;
        }
      }
      return best === -1 ? null : { folded: words[best] ?? '', term: terms[best] ?? null };
    },
  };
}

/** None below four letters, where every word is near another; two from eight letters on. */
function editsAllowed(folded: string): number {
  if (folded.length < 4 || folded.length > 40 || /^\d/.test(folded)) return 0;
  return folded.length < 8 ? 1 : 2;
}

/** Which letters a word has, as a set of 32 bits; letters beyond a to z share bits. */
function lettersOf(folded: string): number {
  let set = 0;
  for (let at = 0; at < folded.length; at += 1) set |= 1 << (folded.charCodeAt(at) & 31);
  return set >>> 0;
}

function bitsIn(set: number): number {
  let bits = set - ((set >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

function lowerBound(words: readonly string[], folded: string): number {
  let low = 0;
  let high = words.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((words[middle] ?? '') < folded) low = middle + 1;
    else high = middle;
  }
  return low;
}
