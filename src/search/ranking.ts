/** Which documents an attempt finds, with the score of each: BM25 over words and phrases, in the text and in titles. */
import { createMatching } from './matching.ts';
import type { Found } from './postings.ts';
import type { Attempt } from './query.ts';
import type { SearchableTerms } from './sequences.ts';
import { fieldAt, fieldNames, type TokenStream } from './token-stream.ts';

/** What an attempt found, in no order. Overwritten by the next one. */
export interface Ranked {
  readonly count: number;
  /** The first `count` are those found. */
  readonly documents: Uint32Array;
  /** By document. */
  readonly scores: Float64Array;
}

export function createRanking(searchable: SearchableTerms): (attempt: Attempt) => Ranked {
  const norms = normsOf(searchable.stream);
  const total = norms.length;
  const matching = createMatching(searchable);
  const documents = new Uint32Array(total);
  const scores = new Float64Array(total);
  /** By document, how many of the phrases it has. */
  const had = new Uint8Array(total);
  let count = 0;

  /** Adds to documents that had at least `least` phrases, which have `now` thereby. */
  const add = ({ documents: those, weights, from, to }: Found, least: number, now: number) => {
    const rarity = rarityOf(to - from, total);
    for (let at = from; at < to; at += 1) {
      const document = those[at] ?? 0;
      const before = had[document] ?? 0;
      if (before < least) continue;
      if (before === 0) {
        documents[count] = document;
        count += 1;
      }
      had[document] = now;
      const weight = weights[at] ?? 0;
      const share = (weight * (saturation + 1)) / (weight + (norms[document] ?? 0));
      scores[document] = (scores[document] ?? 0) + rarity * share;
    }
  };

  return ({ phrases, every, title }) => {
    for (let at = 0; at < count; at += 1) {
      const document = documents[at] ?? 0;
      had[document] = 0;
      scores[document] = 0;
    }
    count = 0;
    if (!every) {
      for (const phrase of phrases) matching.eachList(phrase, (list) => add(list, 0, 1));
      return { count, documents, scores };
    }
    // The rarest first: later ones then only look at documents that the earlier ones left.
    const ordered = phrases.toSorted((a, b) => matching.sizeOf(a) - matching.sizeOf(b));
    for (const [place, phrase] of ordered.entries()) {
      matching.eachList(phrase, (list) => add(list, place, place + 1));
    }
    matching.eachTitled(title, (list) => add(list, phrases.length, phrases.length));
    let kept = 0;
    for (let at = 0; at < count; at += 1) {
      const document = documents[at] ?? 0;
      if (had[document] !== phrases.length) {
        had[document] = 0;
        scores[document] = 0;
        continue;
      }
      documents[kept] = document;
      kept += 1;
    }
    count = kept;
    return { count, documents, scores };
  };
}

/** BM25's k1: how soon more of the same word adds little. */
const saturation = 1.2;
/** BM25's b: how much a document's length is held against it. */
const lengthShare = 0.9;

/** BM25's inverse document frequency in the form that stays above 0 for a word that every document has. */
function rarityOf(having: number, total: number): number {
  return Math.log(1 + (total - having + 0.5) / (having + 0.5));
}

/** By document, the weight of a word at which it counts for half of what it can. */
function normsOf({ documentCount, firsts }: TokenStream): Float64Array {
  // A boundary ends each field.
  const lengths = Float64Array.from(
    { length: documentCount },
    (_, document) => (firsts[fieldAt(document + 1, 0)] ?? 0) - (firsts[fieldAt(document, 0)] ?? 0) - fieldNames.length,
  );
  const mean = lengths.reduce((sum, length) => sum + length, 0) / documentCount || 1;
  return lengths.map((length) => saturation * (1 - lengthShare + lengthShare * (length / mean)));
}
