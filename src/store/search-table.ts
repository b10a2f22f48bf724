/** What people search for, as it is stored: words, a day and counts, and nothing of who asked. */

export interface CountedSearch {
  /** The beginning of the day in UTC, in milliseconds since 1970. */
  readonly day: number;
  readonly query: string;
  readonly searches: number;
  /** How many of them found nothing. */
  readonly withoutResults: number;
}

export type SearchTotal = Omit<CountedSearch, 'day'>;

/** Both most frequent first, at most `mostListed`. */
export interface SearchLists {
  readonly mostFrequent: readonly SearchTotal[];
  readonly withoutResults: readonly SearchTotal[];
}

export interface SearchTable {
  /** Adds to what the days have. A query that is new on a day is left out once the day has `mostSearchesOfDay`. */
  addSearches(counted: readonly CountedSearch[]): Promise<void>;
  /** Totals over the days that began after `since`. */
  listSearches(since: number): Promise<SearchLists>;
}

/** Days are kept this long, in milliseconds. */
export const searchLifetime = 30 * 86_400_000;
export const mostSearchesOfDay = 5000;
export const mostListed = 100;
