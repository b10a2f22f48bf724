/** Rate counters in PostgreSQL: one statement per request counts in every counter or in none, by the database's own time. */
import type { Database } from '../database.ts';
import type { RateStore } from '../rate-store.ts';
import { integer } from '../record.ts';

/** The part of a database that rate counters need. */
export type RateDatabase = Pick<Database, 'all'>;

interface PostgresRatesOptions {
  readonly database: RateDatabase;
  /** Returns milliseconds since 1970, for tests that move time. @defaultValue the database's time */
  readonly now?: () => number;
}

/** Creates the counters in a database whose schema is in place. The store's sweep deletes what has expired. */
export const createPostgresRates = ({ database, now }: PostgresRatesOptions): RateStore => ({
  name: 'postgresql',
  async take(requests) {
    const rows = await database.all(takeHits, JSON.stringify(requests), now?.() ?? null);
    return rows.map((row) => ({
      allowed: row.allowed === true,
      used: integer.read(row, 'used'),
      waitMs: integer.read(row, 'wait_ms'),
    }));
  },
  async close() {},
});

const takeHits = 'SELECT allowed, used, wait_ms FROM take_hits(CAST(?1 AS JSON), CAST(?2 AS BIGINT))';
