/** Removal of what has expired from PostgreSQL, a bounded batch at a time; several processes may do it at once. */

import type { Store } from '../store.ts';
import { createSweep, type SweepRule } from '../sweep-rules.ts';
import type { PostgresConnection } from './connection.ts';
import { type Statement, statement } from './queries.ts';

export function createPostgresSweep(connection: PostgresConnection): Pick<Store, 'sweep'> {
  return createSweep((rule, until, batch) => connection.run(deletionOf(rule), until, batch));
}

/**
 * Rows that another process holds are passed over: neither waits for the other. The array is made once, where a subquery
 * could be run again for each row and lock more than the batch.
 */
const deletionOf = ({ table, key, moment, only = 'TRUE' }: SweepRule): Statement =>
  statement(
    `sweep_${table}_by_${moment}`,
    `DELETE FROM ${table} WHERE ${key} = ANY (ARRAY (
       SELECT ${key} FROM ${table} WHERE ${moment} <= $1 AND ${only} LIMIT $2 FOR UPDATE SKIP LOCKED))`,
  );
