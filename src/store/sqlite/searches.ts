/** What people search for, in SQLite. */

import { integer, type Row } from '../row.ts';
import { toSearchTotal } from '../rows.ts';
import { mostListed, mostSearchesOfDay, type SearchLists, type SearchTable } from '../search-table.ts';
import type { Connection } from './connection.ts';

export function createSqliteSearches(connection: Connection): SearchTable {
  return {
    async addSearches(counted) {
      connection.transaction(() => {
        const rooms = new Map<number, number>();
        for (const { day, query, searches, withoutResults } of counted.toSorted((a, b) => b.searches - a.searches)) {
          if (connection.run(addToSearch, searches, withoutResults, day, query) > 0) continue;
          const room = rooms.get(day) ?? mostSearchesOfDay - integer(connection.get(countDay, day) ?? {}, 'count');
          rooms.set(day, room - 1);
          if (room > 0) connection.run(addSearch, day, query, searches, withoutResults);
        }
      });
    },
    listSearches: async (since) => searchLists((sql) => connection.all(sql, since, mostListed)),
  };
}

/** `all` runs a statement that takes the moment and how many rows it may give. */
export const searchLists = (all: (sql: string) => readonly Row[]): SearchLists => ({
  mostFrequent: all(listMostFrequent).map(toSearchTotal),
  withoutResults: all(listWithoutResults).map(toSearchTotal),
});

const addToSearch =
  'UPDATE searches SET searches = searches + ?, without_results = without_results + ? WHERE day = ? AND query = ?';

const countDay = 'SELECT count(*) AS count FROM searches WHERE day = ?';
const addSearch = 'INSERT INTO searches (day, query, searches, without_results) VALUES (?, ?, ?, ?)';

const totals =
  'SELECT query, sum(searches) AS searches, sum(without_results) AS without_results FROM searches WHERE day > ? GROUP BY query';
const listMostFrequent = `${totals} ORDER BY sum(searches) DESC, query LIMIT ?`;
const listWithoutResults = `${totals} HAVING sum(without_results) > 0 ORDER BY sum(without_results) DESC, query LIMIT ?`;
