/** Removal of what has expired from SQLite, a bounded batch at a time so that no request waits long. */
import type { SQLInputValue } from 'node:sqlite';
import type { Connection } from './sqlite-connection.ts';
import { codeAfterlife, revokedClientLifetime, type Store, unusedClientLifetime } from './store.ts';

export function createSqliteSweep(connection: Connection): Pick<Store, 'sweep'> {
  return {
    async sweep(now, batch) {
      let deleted = 0;
      let more = false;
      for (const { sql, before } of rules) {
        const values: SQLInputValue[] = [now - before, batch];
        const count = connection.run(sql, ...values);
        deleted += count;
        more ||= count === batch;
      }
      return { deleted, more };
    },
  };
}

const expired = (table: string, key: string): string =>
  `DELETE FROM ${table} WHERE ${key} IN (SELECT ${key} FROM ${table} WHERE expires_at <= ? LIMIT ?)`;

/** Each statement takes a moment and a number of rows; `before` is how long after its moment a row still stays. */
const rules: readonly { sql: string; before: number }[] = [
  { sql: expired('tokens', 'hash'), before: 0 },
  { sql: expired('codes', 'hash'), before: codeAfterlife },
  { sql: expired('consent_tickets', 'hash'), before: 0 },
  { sql: expired('assertion_uses', 'hash'), before: 0 },
  { sql: expired('idempotency_keys', 'key_hash'), before: 0 },
  { sql: expired('jobs', 'id'), before: 0 },
  {
    sql: `DELETE FROM artefacts WHERE hash IN (
            SELECT hash FROM artefacts
            WHERE expires_at <= ? AND NOT EXISTS (SELECT 1 FROM jobs WHERE artefact_hash = artefacts.hash) LIMIT ?)`,
    before: 0,
  },
  {
    sql: `DELETE FROM clients WHERE id IN (
            SELECT id FROM clients WHERE last_token_at IS NULL AND revoked_at IS NULL AND issued_at <= ? LIMIT ?)`,
    before: unusedClientLifetime,
  },
  {
    sql: `DELETE FROM clients WHERE id IN (
            SELECT id FROM clients WHERE revoked_at IS NOT NULL AND revoked_at <= ? LIMIT ?)`,
    before: revokedClientLifetime,
  },
];
