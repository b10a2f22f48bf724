/** Compares sections by the positions of words: how near the words of a query are to each other, and whether they are in the heading. */
import type { IndexData } from './build.ts';
import type { QueryTerm } from './query.ts';
import { findPart, parts } from './reading.ts';
import { noTerm } from './vocabulary.ts';

/** A term of a query with its share of the whole. */
export interface WeightedTerm extends QueryTerm {
  /** How much the term counts in the coverage of the query. */
  readonly weight: number;
  /** For each expansion, the score of a posting with the maximum impact. */
  readonly maxScores: readonly number[];
}

/** Maximum gains in score for words near each other and for words in the heading. */
const proximityBonus = 0.4;
const headingBonus = 0.25;
/** Maximum distance of two words that count as near, in words, and the factor for words in reverse order. */
const maxDistance = 8;
const reverseFactor = 0.7;

/**
 * Returns the factor, 1 or more, by which a section's score is multiplied: words of the query near each other or in the heading
 * raise it.
 *
 * @param totalWeight the sum of the terms' weights
 * @param numbers maps a term to the number of its query term
 */
export function findProximityBonus(
  data: IndexData,
  section: number,
  queryTerms: readonly WeightedTerm[],
  totalWeight: number,
  numbers: ReadonlyMap<number, number>,
): number {
  const { from: headingStart, to: headingEnd } = findPart(data, section, parts.heading);
  const { to: end } = findPart(data, section, parts.code);
  const lastPositions: number[] = [];
  const nearness: number[] = [];
  const inHeading = new Set<number>();
  let headingWords = 0;
  /**
   * Notes how near the word at `position` of the index is to the last occurrence of the query term numbered `neighbor`, if that is
   * within `maxDistance`. `pair` is the number of the first of the two query terms, and `factor` is below 1 if they are in reverse
   * order.
   */
  const compare = (pair: number, neighbor: number, position: number, factor: number): void => {
    const distance = position - (lastPositions[neighbor] ?? Number.NEGATIVE_INFINITY);
    if (distance <= maxDistance) nearness[pair] = Math.max(nearness[pair] ?? 0, factor / distance);
  };
  for (let position = headingStart; position < end; position += 1) {
    const number = numbers.get(data.terms[position] ?? noTerm);
    if (number === undefined) continue;
    if (position < headingEnd) {
      headingWords += 1;
      inHeading.add(number);
    }
    compare(number - 1, number - 1, position, 1);
    compare(number, number + 1, position, reverseFactor);
    lastPositions[number] = position;
  }
  const near = queryTerms.slice(1).reduce((sum, { weight }, pair) => {
    return sum + (nearness[pair] ?? 0) * Math.min(queryTerms[pair]?.weight ?? 0, weight);
  }, 0);
  const headingLength = headingEnd - headingStart;
  const heading = headingLength > 0 ? (headingWords / headingLength) * (inHeading.size / queryTerms.length) : 0;
  return (1 + proximityBonus * Math.min(1, near / totalWeight)) * (1 + headingBonus * heading);
}

/**
 * Returns whether a section has the terms of `phrase` one after the other in its heading, text, references and code, which count as
 * one text: a phrase may begin at the end of one and end in the next.
 */
export function hasPhrase(data: IndexData, section: number, phrase: readonly number[]): boolean {
  const { from } = findPart(data, section, parts.heading);
  const terms = data.terms.subarray(from, findPart(data, section, parts.code).to);
  const [first = noTerm] = phrase;
  for (let start = terms.indexOf(first); start !== -1; start = terms.indexOf(first, start + 1))
    if (phrase.every((term, offset) => terms[start + offset] === term)) return true;
  return false;
}

/** Maps each term by which a query may be found to the number of its query term; a term of several belongs to the last one. */
export function numberTerms(queryTerms: readonly QueryTerm[]): Map<number, number> {
  const numbers = new Map<number, number>();
  for (const [number, { expansions, typed }] of queryTerms.entries())
    for (const term of [...expansions.map((expansion) => expansion.term), ...typed]) numbers.set(term, number);
  numbers.delete(noTerm);
  return numbers;
}
