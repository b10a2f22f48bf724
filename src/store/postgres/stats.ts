/** What the operator's gauges say of the PostgreSQL store. */

import { jobCounts } from '../job-counts-sql.ts';
import { toJobStats } from '../rows.ts';
import type { Store } from '../store.ts';
import type { PostgresConnection } from './connection.ts';
import { statement } from './queries.ts';

export function createPostgresStats(connection: PostgresConnection): Pick<Store, 'stats'> {
  return {
    async stats() {
      const row = (await connection.get(readState)) ?? {};
      return { writable: row.writable === true, ...toJobStats(row), pool: connection.pool() };
    },
  };
}

/** A failover that ends on a replica, or an operator, leaves a database that serves every read. */
const readState = statement(
  'read_store_state',
  `SELECT NOT pg_is_in_recovery() AND current_setting('transaction_read_only') = 'off' AS writable, ${jobCounts}`,
);
