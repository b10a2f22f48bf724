/** Statements on export jobs and the files that they make. */
import { setImmediate } from 'node:timers/promises';
import type { Database, Queries } from './database.ts';
import {
  type Artifact,
  type Job,
  type JobFailure,
  type JobStatus,
  type JobStore,
  jobLifetime,
  jobsPerClient,
  readParts,
  splitIntoParts,
  unfinishedLifetime,
} from './job-store.ts';
import { bytes, defineRecord, integer, json, nullable, oneOf, type Row, text } from './row.ts';

/** Creates the part of the store that keeps export jobs. */
export function createJobStore(database: Database): JobStore {
  return {
    createJob: ({ id, clientId, resource, format, createdAt }) =>
      database.transaction(async (queries) => {
        // The lock orders the client's jobs, so that each counts those before it.
        await queries.get('SELECT id FROM clients WHERE id = ?1 FOR NO KEY UPDATE', clientId);
        const values = [id, clientId, resource, format, createdAt, createdAt + jobLifetime];
        if ((await queries.run(insertJob, ...values)) === 0) return false;
        await queries.run(deleteOldestJobs, clientId, jobsPerClient);
        return true;
      }),

    async findJob(id, now) {
      const row = await database.get(findJob, id, now);
      return row && toJob(row);
    },

    async claimJob(now, lease, maxAttempts) {
      const row = await database.get(claimJob, now, now + lease, maxAttempts);
      return row && toJob(row);
    },

    async completeJob(id, attempt, artifact, revision, now) {
      const isClaimed = "SELECT id FROM jobs WHERE id = ?1 AND status = 'running' AND attempts = ?2";
      if ((await database.get(isClaimed, id, attempt)) === undefined) return false;
      await writeParts(database, artifact, now + unfinishedLifetime);
      return database.transaction(async (queries) => {
        const expiresAt = now + jobLifetime;
        if ((await queries.run(completeJob, artifact.hash, revision, now, expiresAt, id, attempt)) === 0) return false;
        await queries.run(completeArtifact, artifact.hash, expiresAt);
        return true;
      });
    },

    async failJob(id, attempt, failure, now) {
      return (await database.run(failJob, JSON.stringify(failure), now, now + jobLifetime, id, attempt)) === 1;
    },

    async postponeJob(id, attempt, until) {
      const sql = "UPDATE jobs SET lease_until = ?3 WHERE id = ?1 AND status = 'running' AND attempts = ?2";
      return (await database.run(sql, id, attempt, until)) === 1;
    },

    async failExhaustedJobs(now, maxAttempts, failure) {
      const rows = await database.all(failExhausted, JSON.stringify(failure), now, now + jobLifetime, maxAttempts);
      return rows.map((row) => text.read(row, 'id'));
    },

    async findArtifact(hash, now) {
      const row = await database.get(findArtifact, hash, now);
      if (row === undefined) return undefined;
      const { size, mediaType } = artifactFile.read(row);
      // Each part is a statement of its own, so a slow reader keeps no connection from others.
      const readPart = async (part: number) => {
        await setImmediate();
        const partRow = await database.get(
          'SELECT bytes FROM artifact_parts WHERE hash = ?1 AND part = ?2',
          hash,
          part,
        );
        return partRow && bytes.read(partRow, 'bytes');
      };
      const parts = () => readParts(size, readPart);
      return { hash, mediaType, size, parts };
    },
  };
}

/** Stores a file part by part, with other requests in between. It stays incomplete until its job is completed. */
export async function writeParts(queries: Queries, artifact: Artifact, expiresAt: number): Promise<void> {
  const { hash, mediaType, bytes: content } = artifact;
  await queries.run(beginArtifact, hash, mediaType, content.length, expiresAt);
  for (const [part, partBytes] of [...splitIntoParts(content)].entries()) {
    await setImmediate();
    await queries.run(insertPart, hash, part, partBytes);
  }
  await setImmediate();
}

const job = defineRecord<Omit<Job, 'artifact'> & { readonly artifactHash: Uint8Array | null }>({
  id: text,
  clientId: text,
  resource: text,
  format: text,
  status: oneOf<JobStatus>('queued', 'running', 'completed', 'failed'),
  attempts: integer,
  leaseUntil: nullable(integer),
  revision: nullable(text),
  artifactHash: nullable(bytes),
  failure: nullable(json<JobFailure>()),
  createdAt: integer,
  finishedAt: nullable(integer),
});

const artifactFile = defineRecord<{ mediaType: string; size: number }>({ mediaType: text, size: integer });

const insertJob = `
  INSERT INTO jobs (id, client_id, resource, format, created_at, expires_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
  ON CONFLICT DO NOTHING`;

const deleteOldestJobs = `
  DELETE FROM jobs WHERE status IN ('completed', 'failed') AND id IN (
    SELECT id FROM jobs WHERE client_id = ?1 ORDER BY created_at DESC, id LIMIT 1000000 OFFSET ?2)`;

const findJob = `
  SELECT ${job.columns}, artifacts.media_type, artifacts.size
  FROM jobs LEFT JOIN artifacts ON artifacts.hash = jobs.artifact_hash
  WHERE id = ?1 AND jobs.expires_at > ?2`;

/** Skips a row that another process is claiming. A running job has no artifact yet, so the row is the whole job. */
const claimJob = `
  UPDATE jobs SET status = 'running', lease_until = ?2, attempts = attempts + 1
  WHERE id = (
    SELECT id FROM jobs
    WHERE status IN ('queued', 'running') AND (status = 'queued' OR lease_until <= ?1) AND attempts < ?3
      AND expires_at > ?1
    ORDER BY created_at, id LIMIT 1 FOR UPDATE SKIP LOCKED)
  RETURNING ${job.columns}`;

/** Jobs with equal bytes share one artifact, which lives as long as the last of them. */
const beginArtifact = `
  INSERT INTO artifacts (hash, media_type, size, expires_at, is_whole) VALUES (?1, ?2, ?3, ?4, FALSE)
  ON CONFLICT (hash) DO UPDATE SET expires_at = excluded.expires_at WHERE artifacts.expires_at < excluded.expires_at`;

const insertPart = 'INSERT INTO artifact_parts (hash, part, bytes) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING';

const completeJob = `
  UPDATE jobs SET status = 'completed', lease_until = NULL, artifact_hash = ?1, revision = ?2, finished_at = ?3, expires_at = ?4
  WHERE id = ?5 AND status = 'running' AND attempts = ?6`;

const completeArtifact = `
  UPDATE artifacts SET is_whole = TRUE, expires_at = CASE WHEN expires_at < ?2 THEN ?2 ELSE expires_at END
  WHERE hash = ?1`;

const findArtifact = 'SELECT media_type, size FROM artifacts WHERE hash = ?1 AND expires_at > ?2 AND is_whole';

const failJob = `
  UPDATE jobs SET status = 'failed', lease_until = NULL, failure = ?1, finished_at = ?2, expires_at = ?3
  WHERE id = ?4 AND status = 'running' AND attempts = ?5`;

const failExhausted = `
  UPDATE jobs SET status = 'failed', lease_until = NULL, failure = ?1, finished_at = ?2, expires_at = ?3
  WHERE status = 'running' AND lease_until <= ?2 AND attempts >= ?4
  RETURNING id`;

/** Reads a job, with the columns of its artifact if it has one. */
function toJob(row: Row): Job {
  const { artifactHash: hash, ...fields } = job.read(row);
  return { ...fields, artifact: hash === null ? null : { hash, ...artifactFile.read(row) } };
}
