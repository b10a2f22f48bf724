/** Deletes expired rows every minute, a bounded number at a time so that no request waits long. */
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { Queries } from './database.ts';

/** Clients that never obtained a token are deleted after this time, in milliseconds. */
export const unusedClientLifetime = 30 * 86_400_000;
/** Time that revoked clients stay as tombstones, in milliseconds: longer than the day that a repeated registration looks back. */
export const revokedClientLifetime = 30 * 86_400_000;
/** Time that codes stay after their expiry, in milliseconds: as long as their tokens can live, so that a second use revokes these. */
export const codeAfterlife = 3_600_000;

/** A rule that deletes the rows of `table` whose `moment` is `afterlife` milliseconds ago or more and that match `condition`. */
export interface SweepRule {
  readonly table: string;
  /** The column that identifies a row. */
  readonly key: string;
  /** The column with the moment, in milliseconds since 1970. @defaultValue `expires_at` */
  readonly moment?: string;
  /** @defaultValue 0 */
  readonly afterlife?: number;
  /** An SQL condition. @defaultValue every row */
  readonly condition?: string;
}

const rules: readonly SweepRule[] = [
  { table: 'tokens', key: 'hash' },
  { table: 'authorization_requests', key: 'hash', afterlife: codeAfterlife },
  { table: 'refresh_families', key: 'id' },
  { table: 'assertion_uses', key: 'hash' },
  { table: 'idempotency_keys', key: 'key_hash' },
  { table: 'jobs', key: 'id' },
  {
    table: 'artifacts',
    key: 'hash',
    condition: 'NOT EXISTS (SELECT 1 FROM jobs WHERE artifact_hash = artifacts.hash)',
  },
  {
    table: 'clients',
    key: 'id',
    moment: 'issued_at',
    afterlife: unusedClientLifetime,
    condition: 'last_token_at IS NULL AND revoked_at IS NULL',
  },
  { table: 'clients', key: 'id', moment: 'revoked_at', afterlife: revokedClientLifetime },
];

/**
 * Deletes at most `batch` rows by each rule, `engineRules` included. Several processes may call it at once; each skips the others'
 * rows. `deleted` is the number of all deleted rows, and `more` is true if rows may be left.
 */
export async function sweep(queries: Queries, now: number, batch: number, engineRules: readonly SweepRule[]) {
  let deletedCount = 0;
  let more = false;
  for (const { table, key, moment = 'expires_at', afterlife = 0, condition = 'TRUE' } of [...rules, ...engineRules]) {
    const sql = `
      WITH expired AS MATERIALIZED (
        SELECT ${key} AS id FROM ${table} WHERE ${moment} <= ?1 AND ${condition} LIMIT ?2 FOR UPDATE SKIP LOCKED)
      DELETE FROM ${table} WHERE ${key} IN (SELECT id FROM expired)`;
    const count = await queries.run(sql, now - afterlife, batch);
    deletedCount += count;
    more ||= count >= batch;
  }
  return { deleted: deletedCount, more };
}

interface SweeperOptions {
  readonly store: { sweep(now: number, batch: number): Promise<{ deleted: number; more: boolean }> };
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Creates the sweeper, which sweeps now and every minute until it is closed, 500 rows of each table at a time, with a pause of 20
 * ms in between. A sweep that fails is logged, and the next one follows a minute later.
 */
export function createSweeper({ store, clock, log }: SweeperOptions) {
  let isClosed = false;
  let cancel = (): void => {};

  async function run(): Promise<void> {
    let waitMs = 60_000;
    try {
      const { deleted, more } = await store.sweep(clock.now(), 500);
      if (deleted > 0) log.info({ event: 'store.swept', deleted }, 'Deleted expired rows.');
      if (more) waitMs = 20;
    } catch (error) {
      log.error(
        { event: 'store.sweep_failed', err: error },
        'Expired rows could not be deleted; trying again in a minute.',
      );
    }
    if (!isClosed) cancel = clock.after(waitMs, () => void run());
  }

  void run();
  return {
    /** Starts no further sweep. A sweep in progress finishes its batch. */
    close(): void {
      isClosed = true;
      cancel();
    },
  };
}
