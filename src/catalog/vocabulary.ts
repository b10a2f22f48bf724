/** The words of an index: the term of each, which of them begin alike, and which is nearest to one that is not there. */
import { editDistance } from '../base/near-miss.ts';
import { fold, termOf } from './words.ts';

/** A word as it is written, folded, and the term it is indexed under. */
export interface Word {
  readonly folded: string;
  readonly term: string;
}

export interface Vocabulary {
  /** The word for a piece of text that `eachWord` found; null when nothing of it is left after folding. */
  wordOf(text: string): Word | null;
  /** How often the term stands in the documents. */
  countOf(term: string): number;
  /** How the index's words go on from a folded beginning. */
  beginning(folded: string): Beginning;
  /** The nearest indexed word within a few edits, or null; among equally near ones the most frequent. */
  nearest(folded: string): Word | null;
}

interface Beginning {
  readonly known: boolean;
  /** The terms that a search for terms with this beginning would miss: stems that are shorter or end otherwise. */
  readonly otherTerms: readonly string[];
}

/** Takes in the words of documents one by one; `finish` gives what can be asked about them. */
export interface VocabularyBuilder {
  /** The term of a piece of text that `eachWord` found; '' when nothing of it is left after folding. */
  learn(text: string): string;
  finish(): Vocabulary;
}

export function createVocabularyBuilder(): VocabularyBuilder {
  const bySpelling = new Map<string, Entry | null>();
  const byFolded = new Map<string, Entry>();
  return {
    learn(text) {
      let entry = bySpelling.get(text);
      if (entry === undefined) {
        const folded = fold(text);
        entry = folded === '' ? null : (byFolded.get(folded) ?? { folded, term: termOf(folded), count: 0 });
        bySpelling.set(text, entry);
        if (entry !== null) byFolded.set(folded, entry);
      }
      if (entry === null) return '';
      entry.count += 1;
      return entry.term;
    },
    finish: () => vocabularyOf(bySpelling, [...byFolded.values()]),
  };
}

interface Entry extends Word {
  count: number;
}

/** What one query may cost at most. */
const mostBeginningsRead = 2000;
const mostOtherTerms = 16;
const mostDistances = 2000;

function vocabularyOf(bySpelling: ReadonlyMap<string, Entry | null>, entries: Entry[]): Vocabulary {
  entries.sort((a, b) => (a.folded < b.folded ? -1 : 1));
  const counts = new Map<string, number>();
  for (const { term, count } of entries) counts.set(term, (counts.get(term) ?? 0) + count);
  const letters = Uint32Array.from(entries, ({ folded }) => lettersOf(folded));
  const lengths = Uint32Array.from(entries, ({ folded }) => folded.length);

  return {
    wordOf(text) {
      const entry = bySpelling.get(text);
      if (entry !== undefined) return entry;
      const folded = fold(text);
      return folded === '' ? null : { folded, term: termOf(folded) };
    },

    countOf: (term) => counts.get(term) ?? 0,

    beginning(folded) {
      const first = lowerBound(entries, folded);
      const otherTerms = new Set<string>();
      const end = Math.min(entries.length, first + mostBeginningsRead);
      for (let at = first; at < end; at += 1) {
        const entry = entries[at];
        if (entry === undefined || !entry.folded.startsWith(folded) || otherTerms.size === mostOtherTerms) break;
        if (!entry.term.startsWith(folded)) otherTerms.add(entry.term);
      }
      return { known: entries[first]?.folded.startsWith(folded) ?? false, otherTerms: [...otherTerms] };
    },

    nearest(folded) {
      const limit = editsAllowed(folded);
      if (limit === 0) return null;
      const wanted = lettersOf(folded);
      let distances = 0;
      let best: Entry | null = null;
      let bestRank = Number.POSITIVE_INFINITY;
      for (let at = 0; at < entries.length && distances < mostDistances; at += 1) {
        if (Math.abs((lengths[at] ?? 0) - folded.length) > limit) continue;
        // An edit adds one letter, takes one away, or both: whatever differs in more letters is farther off.
        if (bitsIn((letters[at] ?? 0) ^ wanted) > 2 * limit) continue;
        const entry = entries[at];
        if (entry === undefined) break;
        distances += 1;
        const distance = editDistance(folded, entry.folded, limit);
        const elsewhere = entry.folded[0] === folded[0] ? 0 : 1;
        // Two edits that also change the first letter make another word of it: uninstall is no slip for install.
        if (distance > limit - elsewhere && distance !== 1) continue;
        const rank = 2 * distance + elsewhere;
        if (rank < bestRank || (rank === bestRank && entry.count > (best?.count ?? 0))) {
          best = entry;
          bestRank = rank;
        }
      }
      return best;
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

function lowerBound(entries: readonly Entry[], folded: string): number {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((entries[middle]?.folded ?? '') < folded) low = middle + 1;
    else high = middle;
  }
  return low;
}
