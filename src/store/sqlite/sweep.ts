/** Removal of what has expired from SQLite, a bounded batch at a time so that no request waits long. */

import type { Store } from '../store.ts';
import { createSweep, type SweepRule } from '../sweep-rules.ts';
import type { Connection } from './connection.ts';

export function createSqliteSweep(connection: Connection): Pick<Store, 'sweep'> {
  return createSweep((rule, until, batch) => connection.run(deletionOf(rule), until, batch));
}

const deletionOf = ({ table, key, moment, only = 'TRUE' }: SweepRule): string =>
  `DELETE FROM ${table} WHERE ${key} IN (SELECT ${key} FROM ${table} WHERE ${moment} <= ? AND ${only} LIMIT ?)`;
