/** What the operator's gauges say of the SQLite store. */
import { toJobStats } from '../rows.ts';
import type { Store } from '../store.ts';
import type { Connection } from './connection.ts';

export function createSqliteStats(connection: Connection): Pick<Store, 'stats'> {
  return {
    async stats(now) {
      return { ...toJobStats(connection.all(countJobs, now)), pool: null };
    },
  };
}

const countJobs =
  'SELECT status, count(*) AS count, min(created_at) AS oldest FROM jobs WHERE expires_at > ? GROUP BY status';
