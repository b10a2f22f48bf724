/** Counts the queries that an index answers: how long they take, and how many find nothing. */
import type { Clock } from '../base/clock.ts';
import { addDuration, createDurations, type Durations } from '../base/durations.ts';
import type { SearchIndex, SearchPage } from '../search/search.ts';

export interface QueryTally {
  readonly durations: Durations;
  readonly counts: { found: number; notFound: number };
  /** The same index, with its queries counted. */
  counted(index: SearchIndex): SearchIndex;
}

const bounds = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25];

export function createQueryTally(clock: Clock): QueryTally {
  const durations = createDurations(bounds);
  const counts = { found: 0, notFound: 0 };
  const timed = <T extends SearchPage | null>(find: () => T): T => {
    const startedAt = clock.monotonic();
    const page = find();
    addDuration(durations, (clock.monotonic() - startedAt) / 1000);
    counts[page === null || page.hits.length === 0 ? 'notFound' : 'found'] += 1;
    return page;
  };
  return {
    durations,
    counts,
    counted: (index) => ({
      search: (query, options) => timed(() => index.search(query, options)),
      resume: (query, rest, options) => timed(() => index.resume(query, rest, options)),
    }),
  };
}
