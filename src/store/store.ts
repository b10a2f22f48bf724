/** The store: what the service remembers between requests, with the same statements on both database engines. */

/*
 * Every moment is in milliseconds since 1970 and is an argument: the store reads no clock.
 * Every hash is SHA-256, 32 bytes: secrets, tokens, codes and tickets never reach the store in clear.
 * Every method may reject with the ApiError `upstream_unavailable` when the database cannot be used.
 */
import { randomBytes } from 'node:crypto';
import { createClientStore } from './clients.ts';
import { createConsentStore } from './consent.ts';
import type { Database } from './database.ts';
import { createIdempotencyTable } from './idempotency.ts';
import { createJobStore, writeParts } from './jobs.ts';
import { integer, nullable } from './record.ts';
import { type SweepRule, sweep } from './sweep.ts';
import { createRefreshStore, createTokenStore } from './tokens.ts';

/** The store. Every method rejects with `upstream_unavailable` while its database cannot be used. */
export type Store = ReturnType<typeof createStore>;
/**
 * The state of the store for gauges: why it cannot be written (`writeProblem`, null if it can), how many of the oldest 10,000
 * unfinished jobs are queued and running (`jobs`), when the oldest was created (`oldestOpenJobAt`, null without one), and its pool
 * of connections (`pool`, null for a single connection).
 */
export type StoreStats = Awaited<ReturnType<Store['stats']>>;

/**
 * Creates the store in a database that has its schema. `engineRules` sweep the tables that only one engine has. Closing the store
 * closes the database.
 */
export const createStore = (database: Database, engineRules: readonly SweepRule[] = []) => ({
  ...createClientStore(database),
  ...createTokenStore(database),
  ...createRefreshStore(database),
  ...createConsentStore(database),
  ...createJobStore(database),
  ...createIdempotencyTable(database),
  /** Deletes expired rows, at most `batch` of each table. Call again while `more` is true. */
  sweep: (now: number, batch: number) => sweep(database, now, batch, engineRules),
  /**
   * Returns the state of the store for gauges, and rejects if the store cannot be used. A store that cannot be written has a
   * `writeProblem`.
   */
  async stats() {
    const row = (await database.get(countJobs)) ?? {};
    return {
      /** Why the database cannot be written (a full disk, a replica), or null if it can. */
      writeProblem: await database.findWriteProblem(() => writeProbe(database)),
      /** Unfinished jobs among the oldest 10,000, so that the cost of counting does not grow with the queue. */
      jobs: { queued: integer.read(row, 'queued'), running: integer.read(row, 'running') },
      /** When the oldest unfinished job was created, or null if there is none. */
      oldestOpenJobAt: nullable(integer).read(row, 'oldest'),
      /** The pool of connections, or null if there is only one connection. */
      pool: database.pool(),
    };
  },
  close: database.close,
});

/** Reads the oldest unfinished jobs from the index of open jobs. */
export const countJobs = `
  SELECT count(CASE WHEN status = 'queued' THEN 1 END) AS queued,
    count(CASE WHEN status = 'running' THEN 1 END) AS running, min(created_at) AS oldest
  FROM (
    SELECT status, created_at FROM jobs WHERE status IN ('queued', 'running') ORDER BY created_at LIMIT 10000
  ) AS unfinished`;

/**
 * Writes an expired, incomplete file and deletes it. It is too large for free space in pages that are in use, and the
 * commits are separate, because what is deleted in the transaction that inserted it would need no space.
 */
async function writeProbe(database: Database): Promise<void> {
  const hash = randomBytes(32);
  await writeParts(database, { hash, mediaType: '', bytes: randomBytes(200_000) }, 0);
  await database.run('DELETE FROM artifacts WHERE hash = ?1', hash);
}
