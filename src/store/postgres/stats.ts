/** What the operator's gauges say of the PostgreSQL store. */

import { jobCounts } from '../job-counts-sql.ts';
import { toJobStats } from '../rows.ts';
import type { Store } from '../store.ts';
import { createProbeFile } from '../write-health.ts';
import type { PostgresConnection } from './connection.ts';
import { statement } from './queries.ts';

export function createPostgresStats(connection: PostgresConnection): Pick<Store, 'stats'> {
  return {
    async stats() {
      const row = (await connection.get(readState)) ?? {};
      const isReadOnly = row.is_read_only === true;
      const writeProblem = isReadOnly
        ? 'the database is read-only'
        : await connection.writeHealth.check(() => writeProbe(connection));
      return { writeProblem, ...toJobStats(row), pool: connection.pool() };
    },
  };
}

/** A failover that ends on a replica, or an operator, leaves a database that serves every read. */
const readState = statement(
  'read_store_state',
  `SELECT pg_is_in_recovery() OR current_setting('transaction_read_only') = 'on' AS is_read_only, ${jobCounts}`,
);

async function writeProbe(connection: PostgresConnection): Promise<void> {
  const { hash, bytes } = createProbeFile();
  await connection.transaction(async (queries) => {
    await queries.run(insertProbe, hash);
    await queries.run(insertProbePart, hash, bytes);
  });
  await connection.run(deleteProbe, hash);
}

const insertProbe = statement(
  'insert_write_probe',
  "INSERT INTO artifacts (hash, media_type, size, expires_at, is_whole) VALUES ($1, '', 0, 0, FALSE)",
);

const insertProbePart = statement(
  'insert_write_probe_part',
  'INSERT INTO artifact_parts (hash, part, bytes) VALUES ($1, 0, $2)',
);

const deleteProbe = statement('delete_write_probe', 'DELETE FROM artifacts WHERE hash = $1');
