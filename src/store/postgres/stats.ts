/** What the operator's gauges say of the PostgreSQL store. */

import { toJobStats } from '../rows.ts';
import type { Store } from '../store.ts';
import type { PostgresConnection } from './connection.ts';
import { statement } from './queries.ts';

export function createPostgresStats(connection: PostgresConnection): Pick<Store, 'stats'> {
  return {
    async stats(now) {
      return { ...toJobStats(await connection.all(countJobs, now)), pool: connection.pool() };
    },
  };
}

const countJobs = statement(
  'count_jobs',
  'SELECT status, count(*) AS count, min(created_at) AS oldest FROM jobs WHERE expires_at > $1 GROUP BY status',
);
