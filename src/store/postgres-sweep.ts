/** Removal of what has expired from PostgreSQL, a bounded batch at a time; several processes may do it at once. */

import type { PostgresConnection } from './postgres-connection.ts';
import { type Statement, statement } from './postgres-queries.ts';
import { codeAfterlife, revokedClientLifetime, type Store, unusedClientLifetime } from './store.ts';

export function createPostgresSweep(connection: PostgresConnection): Pick<Store, 'sweep'> {
  return {
    async sweep(now, batch) {
      let deleted = 0;
      let more = false;
      for (const { deletion, before } of rules) {
        const count = await connection.run(deletion, now - before, batch);
        deleted += count;
        more ||= count === batch;
      }
      return { deleted, more };
    },
  };
}

/**
 * Rows that another process holds are passed over: neither waits for the other. The array is made once, where a subquery
 * could be run again for each row and lock more than the batch.
 */
const deletionOf = (name: string, table: string, key: string, expired = 'expires_at <= $1'): Statement =>
  statement(
    name,
    `DELETE FROM ${table} WHERE ${key} = ANY (ARRAY (
       SELECT ${key} FROM ${table} WHERE ${expired} LIMIT $2 FOR UPDATE SKIP LOCKED))`,
  );

/** Each statement takes a moment and a number of rows; `before` is how long after its moment a row still stays. */
const rules: readonly { deletion: Statement; before: number }[] = [
  { deletion: deletionOf('sweep_tokens', 'tokens', 'hash'), before: 0 },
  { deletion: deletionOf('sweep_codes', 'codes', 'hash'), before: codeAfterlife },
  { deletion: deletionOf('sweep_tickets', 'consent_tickets', 'hash'), before: 0 },
  { deletion: deletionOf('sweep_assertion_uses', 'assertion_uses', 'hash'), before: 0 },
  { deletion: deletionOf('sweep_idempotency', 'idempotency_keys', 'key_hash'), before: 0 },
  { deletion: deletionOf('sweep_jobs', 'jobs', 'id'), before: 0 },
  {
    deletion: deletionOf(
      'sweep_artefacts',
      'artefacts',
      'hash',
      'expires_at <= $1 AND NOT EXISTS (SELECT 1 FROM jobs WHERE artefact_hash = artefacts.hash)',
    ),
    before: 0,
  },
  {
    deletion: deletionOf(
      'sweep_unused_clients',
      'clients',
      'id',
      'last_token_at IS NULL AND revoked_at IS NULL AND issued_at <= $1',
    ),
    before: unusedClientLifetime,
  },
  {
    deletion: deletionOf('sweep_revoked_clients', 'clients', 'id', 'revoked_at IS NOT NULL AND revoked_at <= $1'),
    before: revokedClientLifetime,
  },
];
