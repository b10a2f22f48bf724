/** Deletes expired rows, a bounded number at a time so that no request waits long. */
import type { Database } from './database.ts';
import { codeAfterlife, revokedClientLifetime, type Store, unusedClientLifetime } from './store.ts';

/** Creates the method that deletes expired rows. Several processes may call it at once; each skips the others' rows. */
export const createSweep = (database: Database): Pick<Store, 'sweep'> => ({
  async sweep(now, batch) {
    let deleted = 0;
    let more = false;
    for (const rule of rules) {
      const count = await database.run(toDeletion(rule), now - rule.afterlife, batch);
      deleted += count;
      more ||= count >= batch;
    }
    return { deleted, more };
  },
});

/** Deletes rows of `table` whose `moment` is more than `afterlife` milliseconds ago and that match `condition`. */
interface SweepRule {
  readonly table: string;
  readonly key: string;
  readonly moment: string;
  readonly afterlife: number;
  /** An SQL condition. @defaultValue every row */
  readonly condition?: string;
}

const toDeletion = ({ table, key, moment, condition = 'TRUE' }: SweepRule): string => `
  WITH expired AS MATERIALIZED (
    SELECT ${key} AS id FROM ${table} WHERE ${moment} <= ?1 AND ${condition} LIMIT ?2 FOR UPDATE SKIP LOCKED)
  DELETE FROM ${table} WHERE ${key} IN (SELECT id FROM expired)`;

const expired = { moment: 'expires_at', afterlife: 0 };

const rules: readonly SweepRule[] = [
  { table: 'tokens', key: 'hash', ...expired },
  { table: 'codes', key: 'hash', ...expired, afterlife: codeAfterlife },
  { table: 'refresh_families', key: 'id', ...expired },
  { table: 'consent_tickets', key: 'hash', ...expired },
  { table: 'assertion_uses', key: 'hash', ...expired },
  { table: 'idempotency_keys', key: 'key_hash', ...expired },
  { table: 'jobs', key: 'id', ...expired },
  {
    table: 'artifacts',
    key: 'hash',
    ...expired,
    condition: 'NOT EXISTS (SELECT 1 FROM jobs WHERE artifact_hash = artifacts.hash)',
  },
  {
    table: 'clients',
    key: 'id',
    moment: 'issued_at',
    afterlife: unusedClientLifetime,
    condition: 'last_token_at IS NULL AND revoked_at IS NULL',
  },
  {
    table: 'clients',
    key: 'id',
    moment: 'revoked_at',
    afterlife: revokedClientLifetime,
    condition: 'revoked_at IS NOT NULL',
  },
];
