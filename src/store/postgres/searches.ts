/** What people search for, in PostgreSQL. */
import { toSearchTotal } from '../rows.ts';
import { mostListed, mostSearchesOfDay, type SearchTable } from '../search-table.ts';
import { type Queries, statement } from './queries.ts';

export function createPostgresSearches(connection: Pick<Queries, 'all' | 'run'>): SearchTable {
  return {
    async addSearches(counted) {
      await connection.run(addSearches, JSON.stringify(counted), mostSearchesOfDay);
    },
    async listSearches(since) {
      const mostFrequent = (await connection.all(listMostFrequent, since, mostListed)).map(toSearchTotal);
      const withoutResults = (await connection.all(listWithoutResults, since, mostListed)).map(toSearchTotal);
      return { mostFrequent, withoutResults };
    },
  };
}

/** In one order, so that two processes never wait for each other; of a day's new queries only so many as it still may have. */
const addSearches = statement(
  'add_searches',
  `WITH listed AS (
     SELECT day, query, searches, "withoutResults" AS without_results,
       EXISTS (SELECT 1 FROM searches AS held WHERE held.day = one.day AND held.query = one.query) AS is_known
     FROM jsonb_to_recordset($1::jsonb) AS one (day BIGINT, query TEXT, searches BIGINT, "withoutResults" BIGINT)
   ), given AS (
     SELECT *, row_number() OVER (PARTITION BY day, is_known ORDER BY searches DESC, query) AS place FROM listed
   )
   INSERT INTO searches (day, query, searches, without_results)
   SELECT day, query, searches, without_results FROM given
   WHERE is_known OR place <= $2 - (SELECT count(*) FROM searches AS held WHERE held.day = given.day)
   ORDER BY day, query
   ON CONFLICT (day, query) DO UPDATE
   SET searches = searches.searches + excluded.searches,
     without_results = searches.without_results + excluded.without_results`,
);

/** Sums of BIGINT are NUMERIC, which the driver gives as text. */
const totals = `SELECT query, sum(searches)::bigint AS searches, sum(without_results)::bigint AS without_results
   FROM searches WHERE day > $1 GROUP BY query`;
const listMostFrequent = statement('list_searches', `${totals} ORDER BY sum(searches) DESC, query LIMIT $2`);
const listWithoutResults = statement(
  'list_searches_without_results',
  `${totals} HAVING sum(without_results) > 0 ORDER BY sum(without_results) DESC, query LIMIT $2`,
);
