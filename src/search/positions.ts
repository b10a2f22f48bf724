/** Where in the token stream a term stands: the steps from one place to the next, seven bits a byte. */
import type { TokenStream } from './token-stream.ts';

export interface Positions {
  /** By term, where its steps begin; one more at the end. */
  readonly firsts: Uint32Array;
  /** Of each step the lowest bits first; the highest bit says that more follow. */
  readonly bytes: Uint8Array;
}

export function positionsOf({ terms }: TokenStream, termCount: number): Positions {
  const firsts = new Uint32Array(termCount + 1);
  const before = new Uint32Array(termCount);
  for (let at = 0; at < terms.length; at += 1) {
    const term = terms[at] ?? 0;
    firsts[term + 1] = (firsts[term + 1] ?? 0) + bytesOf(at - (before[term] ?? 0));
    before[term] = at;
  }
  for (let term = 0; term < termCount; term += 1) firsts[term + 1] = (firsts[term + 1] ?? 0) + (firsts[term] ?? 0);

  const bytes = new Uint8Array(firsts[termCount] ?? 0);
  const next = firsts.slice();
  before.fill(0);
  for (let at = 0; at < terms.length; at += 1) {
    const term = terms[at] ?? 0;
    let to = next[term] ?? 0;
    let step = at - (before[term] ?? 0);
    before[term] = at;
    for (; step > 0x7f; step >>>= 7) {
      bytes[to] = (step & 0x7f) | 0x80;
      to += 1;
    }
    bytes[to] = step;
    next[term] = to + 1;
  }
  return { firsts, bytes };
}

/** Visits the places of a term in order. */
export function eachPosition({ firsts, bytes }: Positions, term: number, visit: (at: number) => void): void {
  const end = firsts[term + 1] ?? 0;
  let at = 0;
  for (let next = firsts[term] ?? 0; next < end; next += 1) {
    let byte = bytes[next] ?? 0;
    let step = byte & 0x7f;
    for (let shift = 7; byte > 0x7f; shift += 7) {
      next += 1;
      byte = bytes[next] ?? 0;
      step |= (byte & 0x7f) << shift;
    }
    at += step;
    visit(at);
  }
}

function bytesOf(step: number): number {
  return step < 0x80 ? 1 : step < 0x4000 ? 2 : step < 0x200000 ? 3 : step < 0x10000000 ? 4 : 5;
}
