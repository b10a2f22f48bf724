/** What people search for, as the operator reads it: by the admin listener, and by the command. */
import { type SearchLists, type SearchTotal, searchLifetime } from '../store/search-table.ts';

export const reportedDays = searchLifetime / 86_400_000;

export const searchReport = ({ mostFrequent, withoutResults }: SearchLists) => ({
  days: reportedDays,
  most_frequent: mostFrequent.map(shown),
  without_results: withoutResults.map(shown),
});

const shown = ({ query, searches, withoutResults }: SearchTotal) => ({
  query,
  searches,
  without_results: withoutResults,
});
