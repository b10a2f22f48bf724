/** Rate counters in PostgreSQL: one statement for each request, by the database's own time. */
import type { Database } from '../database.ts';
import type { RateStore } from '../rate-store.ts';
import { integer } from '../record.ts';

interface PostgresRatesOptions {
  readonly database: Pick<Database, 'get'>;
  /** Returns milliseconds since 1970, for tests that move time. @defaultValue the database's time */
  readonly now?: () => number;
}

/**
 * Creates the counters of the rate limits in a database whose schema is in place, which `close` leaves open. The store's sweep
 * deletes what has expired.
 */
export const createPostgresRates = ({ database, now }: PostgresRatesOptions): RateStore => ({
  name: 'postgresql',
  async take({ key, limit, windowMs, count }) {
    const row = (await database.get(takeHit, key, limit, windowMs, String(count), now?.() ?? null)) ?? {};
    return { allowed: row.allowed === true, used: integer.read(row, 'used'), waitMs: integer.read(row, 'wait_ms') };
  },
  async close() {},
});

const takeHit = 'SELECT allowed, used, wait_ms FROM take_hit(?1, ?2, ?3, ?4, ?5)';
