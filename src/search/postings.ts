/** Which documents have a term, and with what weight: the token stream turned round. */
import { boundary, fieldAt, firstTerm, type TokenStream } from './token-stream.ts';

export interface Postings {
  /** By term, where its documents begin; one more at the end. */
  readonly firsts: Uint32Array;
  /** Ascending for each term. */
  readonly documents: Uint16Array | Uint32Array;
  /** How often the term stands in the document, each time weighed by its field. */
  readonly weights: Uint16Array;
}

/** Documents, each once, with the weight of what was found in them: those from `from` up to `to`. */
export interface Found {
  readonly documents: Uint16Array | Uint32Array;
  readonly weights: Uint16Array | Uint32Array;
  readonly from: number;
  readonly to: number;
}

export function listOf({ firsts, documents, weights }: Postings, term: number): Found {
  return { documents, weights, from: firsts[term] ?? 0, to: firsts[term + 1] ?? 0 };
}

export const sizeOf = ({ from, to }: Found): number => to - from;

/** `termCount` counts from 0; `fieldWeights` are in the stream's order, and a field that weighs 0 is left out. */
export function postingsOf(stream: TokenStream, termCount: number, fieldWeights: readonly number[]): Postings {
  const seenIn = new Uint32Array(termCount);
  const firsts = new Uint32Array(termCount + 1);
  eachOccurrence(stream, fieldWeights, (term, document) => {
    if (seenIn[term] === document + 1) return;
    seenIn[term] = document + 1;
    firsts[term + 1] = (firsts[term + 1] ?? 0) + 1;
  });
  for (let term = 0; term < termCount; term += 1) firsts[term + 1] = (firsts[term + 1] ?? 0) + (firsts[term] ?? 0);

  const size = firsts[termCount] ?? 0;
  const documents = stream.documentCount > 0x10000 ? new Uint32Array(size) : new Uint16Array(size);
  const weights = new Uint16Array(size);
  const next = firsts.slice();
  seenIn.fill(0);
  eachOccurrence(stream, fieldWeights, (term, document, weight) => {
    let at = next[term] ?? 0;
    if (seenIn[term] === document + 1) at -= 1;
    else {
      seenIn[term] = document + 1;
      next[term] = at + 1;
      documents[at] = document;
    }
    weights[at] = Math.min((weights[at] ?? 0) + weight, 0xffff);
  });
  return { firsts, documents, weights };
}

function eachOccurrence(
  { documentCount, firsts, terms }: TokenStream,
  fieldWeights: readonly number[],
  visit: (term: number, document: number, weight: number) => void,
): void {
  for (let document = 0; document < documentCount; document += 1) {
    for (const [field, weight] of fieldWeights.entries()) {
      if (weight === 0) continue;
      const end = firsts[fieldAt(document, field) + 1] ?? 0;
      for (let at = firsts[fieldAt(document, field)] ?? 0; at < end; at += 1) {
        const term = terms[at] ?? boundary;
        if (term >= firstTerm) visit(term, document, weight);
      }
    }
  }
}
