/** Full-text search over pages and FAQ entries: an index in memory, ranked by BM25, paged by key. */

import { oneLine } from '../markdown/one-line.ts';
import { type Bounds, bestOf } from './best-hits.ts';
import { createExcerpts } from './excerpt.ts';
import { positionsOf } from './positions.ts';
import { postingsOf } from './postings.ts';
import { attemptsAt } from './query.ts';
import { createRanking } from './ranking.ts';
import { createTokenStreamBuilder, fieldNames, fieldWeights } from './token-stream.ts';
import { createVocabularyBuilder } from './vocabulary.ts';

export interface SearchDocument {
  readonly kind: string;
  /** Such as a page's slug or an entry's id; unique within its kind. */
  readonly key: string;
  readonly title: string;
  readonly headings: readonly string[];
  /** Plain text. */
  readonly body: string;
}

export interface SearchHit {
  readonly kind: SearchDocument['kind'];
  readonly key: string;
  readonly title: string;
  /** Above 0, rounded to 4 decimals; comparable within one answer only. */
  readonly score: number;
  /** Plain text around the best match, with the matched words in `**`. */
  readonly excerpt: string;
}

export interface SearchPosition {
  readonly score: number;
  readonly kind: string;
  readonly key: string;
}

export interface SearchPage {
  /** Best first; equal scores by kind and key. */
  readonly hits: readonly SearchHit[];
  /** What to pass as `after` for the next page, or null when this is the last. */
  readonly next: SearchPosition | null;
  /** What was searched instead, when nothing matched as asked. */
  readonly searchedFor: string | null;
}

export interface SearchOptions {
  readonly kind?: SearchDocument['kind'];
  /** At least 1. */
  readonly limit: number;
  /** Only hits that come after this one, which need not exist any more. */
  readonly after?: SearchPosition;
}

export interface SearchIndex {
  /**
   * Finds the documents that have every word of `query` (by its stem, the last one also by its beginning) and every
   * phrase in double quotes; when there are none, corrects words that no document has, then takes any of the words.
   * Any string is safe; one without words finds nothing.
   */
  search(query: string, options: SearchOptions): SearchPage;
}

/** Builds the index: under a second for 10,000 pages of 2 kB. */
export function createSearchIndex(documents: readonly SearchDocument[]): SearchIndex {
  const sorted = documents
    .toSorted((a, b) => compareNames(a.kind, b.kind) || compareNames(a.key, b.key))
    .map((document) => ({ ...document, body: oneLine(document.body) }));
  const { vocabulary, stream } = streamOf(sorted);
  const { termCount } = vocabulary;
  const rank = createRanking({
    stream,
    termCount,
    postings: postingsOf(stream, termCount, fieldWeights),
    titles: postingsOf(stream, termCount, titleWeights),
    positions: positionsOf(stream, termCount),
  });
  const excerptsOf = createExcerpts(stream, termCount);

  /** How many documents come up to a kind and key. */
  const placeOf = (kind: string, key: string) => {
    let low = 0;
    let high = sorted.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const document = sorted[middle];
      const order = document ? compareNames(document.kind, kind) || compareNames(document.key, key) : 1;
      if (order <= 0) low = middle + 1;
      else high = middle;
    }
    return low;
  };

  /** The places of a kind's documents, which lie together. */
  const ranges = new Map<string | undefined, readonly [from: number, to: number]>([[undefined, [0, sorted.length]]]);
  for (const [index, { kind }] of sorted.entries()) ranges.set(kind, [ranges.get(kind)?.[0] ?? index, index + 1]);

  return {
    search(query, { kind, limit, after }) {
      const [from, to] = ranges.get(kind) ?? [0, 0];
      const points = after ? Math.round(after.score * pointsPerScore) : Number.POSITIVE_INFINITY;
      const bounds: Bounds = { from, to, points, document: after ? placeOf(after.kind, after.key) : 0 };
      for (const attempt of attemptsAt(query, vocabulary)) {
        const best = bestOf(rank(attempt), pointsPerScore, bounds, limit + 1);
        // An attempt that found something has its pages, of which the one after the last is empty.
        if (best === null) continue;
        const found = best.slice(0, limit).flatMap((hit) => {
          const document = sorted[hit.document];
          return document === undefined ? [] : { ...document, ...hit };
        });
        const excerpts = excerptsOf(attempt.phrases, found);
        const hits = found.map(({ kind: kindFound, key, title, points: pointsFound }, at) => ({
          kind: kindFound,
          key,
          title,
          score: pointsFound / pointsPerScore,
          excerpt: excerpts[at] ?? '',
        }));
        const last = hits.at(-1);
        const next = best.length > limit && last ? { score: last.score, kind: last.kind, key: last.key } : null;
        return { hits, next, searchedFor: attempt.searchedFor };
      }
      return { hits: [], next: null, searchedFor: null };
    },
  };
}

/** Scores are ordered and paged as whole ten-thousandths, so that what is sent is exactly what is compared. */
const pointsPerScore = 10_000;

const titleWeights = fieldWeights.map((weight, at) => (fieldNames[at] === 'title' ? weight : 0));

function streamOf(documents: readonly SearchDocument[]) {
  const words = createVocabularyBuilder();
  const builder = createTokenStreamBuilder(words);
  for (const { key, title, headings, body } of documents) {
    builder.add({ body, headings: [key, ...headings].join('\n'), title });
  }
  return { vocabulary: words.finish(), stream: builder.finish() };
}

function compareNames(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
