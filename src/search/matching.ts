/** Where the words and phrases of a query stand: for each of their forms, the documents that have it. */
import { type Found, listOf, type Postings, sizeOf } from './postings.ts';
import type { Phrase } from './query.ts';
import { createSequences, type SearchableTerms } from './sequences.ts';
import type { Word } from './vocabulary.ts';

/** Takes a list, which is overwritten after it returns. */
type Visit = (list: Found) => void;

export interface Matching {
  /**
   * The lists of a phrase: as it is, and with its last word as a beginning; each also in titles alone, where it is rarer
   * and so weighs much however long the page is.
   */
  eachList(phrase: Phrase, visit: Visit): void;
  /** The documents that have these words, all of them and no others, as their title. */
  eachTitled(words: readonly Word[], visit: Visit): void;
  /** About how many documents have the phrase, and rather too many. */
  sizeOf(phrase: Phrase): number;
}

export function createMatching(searchable: SearchableTerms): Matching {
  const { stream, postings, titles } = searchable;
  const unite = createUnion(stream.documentCount);
  const sequences = createSequences(searchable);

  return {
    eachList({ words, begun }, visit) {
      const terms = termsOf(words);
      if (words.length > 1) {
        if (terms !== null) sequences.each(terms, null, visit);
        const before = termsOf(words.slice(0, -1));
        if (begun !== null && before !== null) sequences.each(before, begun, visit);
        return;
      }
      for (const where of [postings, titles]) {
        if (terms !== null) visit(listOf(where, terms[0] ?? 0));
        if (begun !== null) visit(unite(where, begun));
      }
    },
    eachTitled(words, visit) {
      const terms = termsOf(words);
      if (terms !== null && terms.length > 0) sequences.eachTitled(terms, visit);
    },
    sizeOf({ words, begun }) {
      if (words.length === 1 && begun !== null) {
        return begun.reduce((sum, term) => sum + sizeOf(listOf(postings, term)), 0);
      }
      return Math.min(...words.map(({ term }) => (term === null ? Infinity : sizeOf(listOf(postings, term)))));
    },
  };
}

/** null when one of them is in no document. */
function termsOf(words: readonly Word[]): number[] | null {
  const terms = words.flatMap(({ term }) => term ?? []);
  return terms.length === words.length ? terms : null;
}

/** The documents that have any of the terms, with the sum of the weights. */
function createUnion(documentCount: number): (postings: Postings, terms: Uint32Array) => Found {
  const sums = new Uint32Array(documentCount);
  const documents = new Uint32Array(documentCount);
  const weights = new Uint32Array(documentCount);
  return (postings, terms) => {
    const only = terms[0];
    if (only !== undefined && terms.length === 1) return listOf(postings, only);
    let to = 0;
    for (const term of terms) {
      const list = listOf(postings, term);
      for (let at = list.from; at < list.to; at += 1) {
        const document = list.documents[at] ?? 0;
        const before = sums[document] ?? 0;
        if (before === 0) {
          documents[to] = document;
          to += 1;
        }
        sums[document] = before + (list.weights[at] ?? 0);
      }
    }
    for (let at = 0; at < to; at += 1) {
      const document = documents[at] ?? 0;
      weights[at] = sums[document] ?? 0;
      sums[document] = 0;
    }
    return { documents, weights, from: 0, to };
  };
}
