/** Counts what an operator's gauges show. */
import { randomBytes } from 'node:crypto';
import type { Database } from './database.ts';
import { writeParts } from './jobs.ts';
import { integer, nullable } from './row.ts';
import { maxCountedJobs, type Store } from './store.ts';

/** Creates the method that reports the state of the store. */
export const createStats = (database: Database): Pick<Store, 'stats'> => ({
  async stats() {
    const row = (await database.get(countJobs)) ?? {};
    return {
      writeProblem: await database.findWriteProblem(() => writeProbe(database)),
      jobs: { queued: integer.read(row, 'queued'), running: integer.read(row, 'running') },
      oldestOpenJobAt: nullable(integer).read(row, 'oldest'),
      pool: database.pool(),
    };
  },
});

/** Reads the oldest unfinished jobs from the index of open jobs. */
export const countJobs = `
  SELECT count(CASE WHEN status = 'queued' THEN 1 END) AS queued,
    count(CASE WHEN status = 'running' THEN 1 END) AS running, min(created_at) AS oldest
  FROM (
    SELECT status, created_at FROM jobs WHERE status IN ('queued', 'running') ORDER BY created_at LIMIT ${maxCountedJobs}
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
