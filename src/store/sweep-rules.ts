/** Removal of what has expired from either engine: which rows go when, and one pass over all of them. */
import { codeAfterlife, revokedClientLifetime, type Store, unusedClientLifetime } from './store.ts';

/** Rows go `afterlife` milliseconds after the moment in one of their columns, `only` those that meet a condition besides. */
export interface SweepRule {
  readonly table: string;
  readonly key: string;
  readonly moment: string;
  readonly afterlife: number;
  readonly only?: string;
}

/** `remove` deletes at most `batch` of a rule's rows, those whose moment is `until` or earlier, and says how many there were. */
export function createSweep(
  remove: (rule: SweepRule, until: number, batch: number) => number | Promise<number>,
): Pick<Store, 'sweep'> {
  return {
    async sweep(now, batch) {
      let deleted = 0;
      let more = false;
      for (const rule of rules) {
        const count = await remove(rule, now - rule.afterlife, batch);
        deleted += count;
        more ||= count === batch;
      }
      return { deleted, more };
    },
  };
}

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
    only: 'NOT EXISTS (SELECT 1 FROM jobs WHERE artifact_hash = artifacts.hash)',
  },
  {
    table: 'clients',
    key: 'id',
    moment: 'issued_at',
    afterlife: unusedClientLifetime,
    only: 'last_token_at IS NULL AND revoked_at IS NULL',
  },
  {
    table: 'clients',
    key: 'id',
    moment: 'revoked_at',
    afterlife: revokedClientLifetime,
    only: 'revoked_at IS NOT NULL',
  },
];
