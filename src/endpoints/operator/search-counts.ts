/** Counts what people search for, in this process's memory since its start; the admin listener shows the counts at /searches. */
import type { Clock } from '../../base/clock.ts';
import type { AnsweredSearch } from '../../operations/operation.ts';
import { looksPersonal } from './personal-query.ts';

/** The counts of searches in this process. */
export interface SearchCounts {
  /**
   * Counts a search, unless its query is blank or looks like personal data. The caller's identity is not an argument and is never
   * known here.
   */
  count(search: AnsweredSearch): void;
  /** Returns the counts so far; they are not reset. */
  list(): CountedSearches;
}

/** The counts of one process. */
export interface CountedSearches {
  /** When the process started, in milliseconds since 1970. */
  readonly since: number;
  /** The queries as they were normalized, the one that was searched longest ago first. */
  readonly queries: readonly CountedQuery[];
}

interface CountedQuery {
  readonly query: string;
  readonly searches: number;
  /** How many of the searches found nothing. */
  readonly withoutResults: number;
}

/** Maximum number of remembered queries, about 1 MB; beyond it, the query that was searched longest ago is forgotten. */
const maxQueries = 5000;
/** Maximum length of each list in the report. */
const maxListed = 100;

/** Creates empty counts; the time of this call is their `since`. */
export function createSearchCounts(clock: Pick<Clock, 'now'>): SearchCounts {
  const since = clock.now();
  const counts = new Map<string, CountedQuery>();
  return {
    count({ query: sent, isFound }) {
      if (looksPersonal(sent)) return;
      const query = normalize(sent);
      if (query === '') return;
      const { searches, withoutResults } = counts.get(query) ?? { searches: 0, withoutResults: 0 };
      // Deleting the query first moves it to the end of the map, whose first query is then the one that was searched longest ago.
      counts.delete(query);
      counts.set(query, { query, searches: searches + 1, withoutResults: withoutResults + (isFound ? 0 : 1) });
      const [oldest] = counts.size > maxQueries ? counts.keys() : [];
      if (oldest !== undefined) counts.delete(oldest);
    },
    list: () => ({ since, queries: [...counts.values()] }),
  };
}

/**
 * Returns a query in NFC and lower case, with control and format characters as spaces, single spaces between words and none around
 * them, so that queries that differ only in case or space are one; '' for a blank query.
 */
const normalize = (query: string): string =>
  query.normalize('NFC').toLowerCase().replace(/\p{C}/gu, ' ').replace(/\s+/g, ' ').trim();

/**
 * Returns the body of /searches: the counts of every process added up, as the lists `most_frequent` by searches and
 * `without_results` by searches without results, each of up to 100 queries with their counts, highest first, and the earliest start
 * in `since` as an ISO date and time. Neither list has queries with the count 0. Throws a RangeError for an empty array.
 */
export function createSearchReport(processes: readonly CountedSearches[]): object {
  const totals = new Map<string, CountedQuery>();
  for (const { query, searches, withoutResults } of processes.flatMap(({ queries }) => queries)) {
    const total = totals.get(query) ?? { searches: 0, withoutResults: 0 };
    const sum = { searches: total.searches + searches, withoutResults: total.withoutResults + withoutResults };
    totals.set(query, { query, ...sum });
  }
  const listBy = (name: 'searches' | 'withoutResults') =>
    [...totals.values()]
      .filter((total) => total[name] > 0)
      .sort((a, b) => b[name] - a[name] || (a.query < b.query ? -1 : 1))
      .slice(0, maxListed)
      .map(({ query, searches, withoutResults }) => ({ query, searches, without_results: withoutResults }));
  return {
    since: new Date(Math.min(...processes.map(({ since }) => since))).toISOString(),
    most_frequent: listBy('searches'),
    without_results: listBy('withoutResults'),
  };
}
