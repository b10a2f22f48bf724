/** Rate counters in PostgreSQL: one statement per request counts in every counter or in none, by the database's own time. */
import type { Clock } from '../../base/clock.ts';
import { causeOf } from '../../base/thrown.ts';
import type { Database } from '../database.ts';
import type { RateStore } from '../rate-store.ts';
import { integer } from '../record.ts';

/** The part of a database that rate counters need. */
export type RateDatabase = Pick<Database, 'all' | 'run'>;

export interface PostgresRatesOptions {
  readonly database: RateDatabase;
  readonly clock: Clock;
  /** Returns milliseconds since 1970, for tests that move time. @defaultValue the database's time */
  readonly now?: () => number;
}

const sweepIntervalMs = 60_000;
/** Maximum rows deleted by one statement, so that no request waits long for its locks. */
const sweepSize = 1000;

/** Creates the counters in a database whose schema is in place. */
export function createPostgresRates({ database, clock, now }: PostgresRatesOptions): RateStore {
  let cancelSweep = () => {};
  const sweep = async (): Promise<void> => {
    scheduleSweep();
    // A failure needs no report: the next sweep deletes the rows, and requests notice a database that is down.
    const deleteSome = (): Promise<number> => database.run(deleteExpired, now?.() ?? null, sweepSize).catch(() => 0);
    while ((await deleteSome()) === sweepSize);
  };
  const scheduleSweep = (): void => {
    cancelSweep = clock.after(sweepIntervalMs, () => void sweep());
  };
  scheduleSweep();
  return {
    name: 'postgresql',
    async take(requests) {
      try {
        const rows = await database.all(takeHits, JSON.stringify(requests), now?.() ?? null);
        return rows.map((row) => ({
          allowed: row.allowed === true,
          used: integer.read(row, 'used'),
          waitMs: integer.read(row, 'wait_ms'),
        }));
      } catch (error) {
        // The driver's own error says why the database did not count.
        throw causeOf(error);
      }
    },
    async close() {
      cancelSweep();
    },
  };
}

const takeHits = 'SELECT allowed, used, wait_ms FROM take_hits(CAST(?1 AS JSON), CAST(?2 AS BIGINT))';

/** Skips rows that a request is counting in. */
const deleteExpired = `DELETE FROM rate_hits WHERE ctid = ANY (ARRAY (
  SELECT ctid FROM rate_hits
  WHERE expires_at <= coalesce(CAST(?1 AS BIGINT), floor(extract(epoch FROM clock_timestamp()) * 1000)::BIGINT)
  LIMIT ?2 FOR UPDATE SKIP LOCKED))`;
