/** What is to be purged from caches, in SQLite. */
import type { PurgeTable } from '../purge-table.ts';
import { text } from '../row.ts';
import type { Connection } from './connection.ts';

export const createSqlitePurging = (connection: Connection): PurgeTable => ({
  changePurging: async (whole, change) =>
    connection.transaction(() => {
      const row = connection.get(whole ? readWhole : readState);
      const held =
        row === undefined
          ? null
          : { state: text(row, 'state'), fingerprints: whole ? text(row, 'fingerprints') : null };
      const { state, fingerprints, result } = change(held);
      if (held === null) connection.run(addRecord, state, fingerprints ?? '{}');
      else if (fingerprints === undefined) connection.run(writeState, state);
      else connection.run(writeWhole, state, fingerprints);
      return result;
    }),
});

const readState = 'SELECT state FROM purging';
const readWhole = 'SELECT state, fingerprints FROM purging';
const addRecord = 'INSERT INTO purging (id, state, fingerprints) VALUES (1, ?, ?)';
const writeState = 'UPDATE purging SET state = ?';
const writeWhole = 'UPDATE purging SET state = ?, fingerprints = ?';
