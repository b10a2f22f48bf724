/** What is to be purged from caches, in PostgreSQL: one row, which is locked for as long as it takes to decide. */
import type { PurgeTable } from '../purge-table.ts';
import { text } from '../row.ts';
import type { PostgresConnection } from './connection.ts';
import { statement } from './queries.ts';

export const createPostgresPurging = (connection: Pick<PostgresConnection, 'transaction'>): PurgeTable => ({
  changePurging: (whole, change) =>
    connection.transaction(async (queries) => {
      // Until there is a row, there is nothing to lock: whoever comes second waits for the first one's insert.
      const isNew = (await queries.run(addRecord)) > 0;
      const row = await queries.get(whole ? lockWhole : lockState);
      const held =
        isNew || row === undefined
          ? null
          : { state: text(row, 'state'), fingerprints: whole ? text(row, 'fingerprints') : null };
      const { state, fingerprints, result } = change(held);
      if (fingerprints === undefined) await queries.run(writeState, state);
      else await queries.run(writeWhole, state, fingerprints);
      return result;
    }),
});

const addRecord = statement(
  'add_purging',
  `INSERT INTO purging (id, state, fingerprints) SELECT 1, '{}', '{}' WHERE NOT EXISTS (SELECT 1 FROM purging)
   ON CONFLICT DO NOTHING`,
);
const lockState = statement('lock_purging', 'SELECT state FROM purging WHERE id = 1 FOR UPDATE');
const lockWhole = statement('lock_purging_whole', 'SELECT state, fingerprints FROM purging WHERE id = 1 FOR UPDATE');
const writeState = statement('write_purging', 'UPDATE purging SET state = $1 WHERE id = 1');
const writeWhole = statement('write_purging_whole', 'UPDATE purging SET state = $1, fingerprints = $2 WHERE id = 1');
