/** Finds words that follow each other: where the rarest of them stands, its neighbours in the stream are looked at. */
import { eachPosition, type Positions } from './positions.ts';
import { type Found, listOf, type Postings, sizeOf } from './postings.ts';
import { boundary, fieldAt, fieldNames, fieldWeights, type TokenStream } from './token-stream.ts';

type Visit = (list: Found) => void;

export interface SearchableTerms {
  readonly stream: TokenStream;
  readonly termCount: number;
  /** Over all fields. */
  readonly postings: Postings;
  /** Over titles alone. */
  readonly titles: Postings;
  readonly positions: Positions;
}

export interface Sequences {
  /** Where the terms follow each other, and after them any of `last` where that is given: in all fields, and in titles. */
  each(terms: readonly number[], last: Uint32Array | null, visit: Visit): void;
  /** Where the terms are a whole title. */
  eachTitled(terms: readonly number[], visit: Visit): void;
}

const title = fieldNames.indexOf('title');
const titleWeight = fieldWeights[title] ?? 0;

export function createSequences({ stream, termCount, postings, titles, positions }: SearchableTerms): Sequences {
  const { documentCount, firsts, terms: tokens } = stream;
  /** By term, whether it is one of `last`; all 0 between two searches. */
  const isLast = new Uint8Array(termCount);
  const inText = createList(documentCount);
  const inTitles = createList(documentCount);

  const stands = (terms: readonly number[], open: boolean, start: number): boolean => {
    for (let next = 0; next < terms.length; next += 1) if (tokens[start + next] !== terms[next]) return false;
    return !open || isLast[tokens[start + terms.length] ?? boundary] === 1;
  };

  /** Where a document's title begins. */
  const titleAt = (document: number): number => firsts[fieldAt(document, title)] ?? 0;

  return {
    each(terms, last, visit) {
      inText.clear();
      inTitles.clear();
      for (const term of last ?? []) isLast[term] = 1;
      const rarest = placeOfLeast(terms, (term) => sizeOf(listOf(postings, term)));
      const { documents, from } = listOf(postings, terms[rarest] ?? boundary);
      let which = from;
      eachPosition(positions, terms[rarest] ?? boundary, (at) => {
        if (!stands(terms, last !== null, at - rarest)) return;
        while ((firsts[fieldAt((documents[which] ?? 0) + 1, 0)] ?? Infinity) <= at) which += 1;
        const document = documents[which] ?? 0;
        let field = 0;
        while ((firsts[fieldAt(document, field) + 1] ?? Infinity) <= at) field += 1;
        inText.add(document, fieldWeights[field] ?? 0);
        if (field === title) inTitles.add(document, titleWeight);
      });
      for (const term of last ?? []) isLast[term] = 0;
      visit(inText.found());
      visit(inTitles.found());
    },

    eachTitled(terms, visit) {
      inTitles.clear();
      const rarest = placeOfLeast(terms, (term) => sizeOf(listOf(titles, term)));
      const { documents, from, to } = listOf(titles, terms[rarest] ?? boundary);
      for (let at = from; at < to; at += 1) {
        const document = documents[at] ?? 0;
        const start = titleAt(document);
        if (tokens[start + terms.length] === boundary && stands(terms, false, start))
          inTitles.add(document, titleWeight);
      }
      visit(inTitles.found());
    },
  };
}

function placeOfLeast(terms: readonly number[], sizeOfTerm: (term: number) => number): number {
  const sizes = terms.map(sizeOfTerm);
  return sizes.indexOf(Math.min(...sizes));
}

/** A list that grows by documents in ascending order; the same one again adds to its weight. */
function createList(most: number) {
  const documents = new Uint32Array(most);
  const weights = new Uint32Array(most);
  let to = 0;
  return {
    clear() {
      to = 0;
    },
    add(document: number, weight: number) {
      if (to === 0 || documents[to - 1] !== document) {
        documents[to] = document;
        weights[to] = 0;
        to += 1;
      }
      weights[to - 1] = (weights[to - 1] ?? 0) + weight;
    },
    found: (): Found => ({ documents, weights, from: 0, to }),
  };
}
