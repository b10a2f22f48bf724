/** The documents as a stream of terms, by which phrases are found and excerpts are cut without reading the texts. */
import { eachWord } from './words.ts';

/** Stands after each field of a document in place of a term, so that no phrase reaches from one into the next. */
export const boundary = 0;
/** Stands where nothing does, so that two places are never more than 65,535 apart. */
const filler = 1;
/** Terms are counted from here. */
export const firstTerm = 2;

/** The fields of a document, in the order in which they stand in the stream. */
export const fieldNames = ['body', 'headings', 'title'] as const;

/** A word in the title counts as six in the body, one in a heading or in the key as three. */
export const fieldWeights: readonly number[] = [1, 3, 6];

export type Fields = Readonly<Record<(typeof fieldNames)[number], string>>;

export interface TokenStream {
  readonly documentCount: number;
  /** By document and field, where its terms begin (see `fieldAt`); one more at the end. */
  readonly firsts: Uint32Array;
  /** The terms of all documents, one after the other. */
  readonly terms: Uint16Array | Uint32Array;
  /** The low 16 bits of where in its field each stands. The first is below 65,536, and no step is longer than that. */
  readonly places: Uint16Array;
}

/** The place of a document's field in `firsts`. */
export function fieldAt(document: number, field: number): number {
  return document * fieldNames.length + field;
}

/** Takes in documents one by one. */
export interface TokenStreamBuilder {
  add(document: Fields): void;
  finish(): TokenStream;
}

/** What gives words their numbers. */
interface Learner {
  learn(text: string, start: number, end: number): number | null;
}

export function createTokenStreamBuilder(vocabulary: Learner): TokenStreamBuilder {
  let terms = new Uint32Array(4096);
  let places = new Uint16Array(4096);
  let length = 0;
  let largest = 0;
  const firsts = [0];

  const push = (term: number, place: number) => {
    if (length === terms.length) {
      terms = resized(terms, new Uint32Array(2 * length));
      places = resized(places, new Uint16Array(2 * length));
    }
    terms[length] = term;
    places[length] = place;
    length += 1;
    if (term > largest) largest = term;
  };

  return {
    add(document) {
      for (const name of fieldNames) {
        const text = document[name];
        let before = 0;
        eachWord(text, (start, end) => {
          for (; start - before > 0xffff; before += 0xffff) push(filler, before + 0xffff);
          const term = vocabulary.learn(text, start, end);
          if (term === null) return;
          push(term, start);
          before = start;
        });
        push(boundary, 0);
        firsts.push(length);
      }
    },
    finish: () => ({
      documentCount: (firsts.length - 1) / fieldNames.length,
      firsts: Uint32Array.from(firsts),
      terms: (largest > 0xffff ? Uint32Array : Uint16Array).from(terms.subarray(0, length)),
      places: places.slice(0, length),
    }),
  };
}

/** Where a token stands, from where the one before it does. */
export function placeAfter(before: number, low: number): number {
  return before + ((low - before) & 0xffff);
}

function resized<T extends Uint16Array | Uint32Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
