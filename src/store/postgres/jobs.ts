/** Export jobs and artifacts in PostgreSQL, claimed by whichever process comes first. */
import { type JobStore, jobLifetime, jobsPerClient, partsOf, readParts, unfinishedLifetime } from '../job-store.ts';
import { jobValues } from '../new-rows.ts';
import { bytes, integer, text } from '../row.ts';
import { toJob } from '../rows.ts';
import type { PostgresConnection } from './connection.ts';
import { statement } from './queries.ts';
import { createTurns } from './turns.ts';

/** Jobs of one client are created one after the other, since each locks the client's row. */
export function createPostgresJobs(connection: PostgresConnection): JobStore {
  const inTurn = createTurns();
  return {
    createJob: (job) =>
      inTurn(
        job.clientId,
        async () => (await connection.get(createJob, ...jobValues(job), jobsPerClient))?.created === true,
      ),

    async findJob(id, now) {
      const row = await connection.get(findJob, id, now);
      return row === undefined ? undefined : toJob(row);
    },

    async claimJob(now, lease, maxAttempts) {
      const row = await connection.get(claimJob, now, now + lease, maxAttempts);
      return row === undefined ? undefined : toJob(row);
    },

    async completeJob(id, attempt, { hash, mediaType, bytes: content }, revision, now) {
      if ((await connection.get(isClaimed, id, attempt)) === undefined) return false;
      await connection.run(beginArtifact, hash, mediaType, content.length, now + unfinishedLifetime);
      for (const [part, some] of [...partsOf(content)].entries()) await connection.run(keepPart, hash, part, some);
      return (await connection.run(completeJob, id, attempt, hash, revision, now, now + jobLifetime)) === 1;
    },

    async failJob(id, attempt, failure, now) {
      return (await connection.run(failJob, id, attempt, JSON.stringify(failure), now, now + jobLifetime)) === 1;
    },

    async postponeJob(id, attempt, until) {
      return (await connection.run(postponeJob, id, attempt, until)) === 1;
    },

    async failExhaustedJobs(now, maxAttempts, failure) {
      const values = [JSON.stringify(failure), now, now + jobLifetime, maxAttempts];
      return (await connection.all(failExhausted, ...values)).map((row) => text(row, 'id'));
    },

    async findArtifact(hash, now) {
      const row = await connection.get(findArtifact, hash, now);
      if (row === undefined) return undefined;
      const size = integer(row, 'size');
      // No connection is held between two parts: whoever reads slowly keeps none from others.
      const read = async (part: number) => {
        const found = await connection.get(findPart, hash, part);
        return found && bytes(found, 'bytes');
      };
      return { hash: bytes(row, 'hash'), mediaType: text(row, 'media_type'), size, parts: () => readParts(size, read) };
    },
  };
}

const columns = `id, client_id, resource, format, status, attempts, lease_until, revision, artifact_hash, failure,
  created_at, finished_at`;

const createJob = statement('create_job', 'SELECT create_job($1, $2, $3, $4, $5, $6, $7) AS created');

const findJob = statement(
  'find_job',
  `SELECT ${columns}, artifacts.media_type, artifacts.size
   FROM jobs LEFT JOIN artifacts ON artifacts.hash = jobs.artifact_hash
   WHERE id = $1 AND jobs.expires_at > $2`,
);

/**
 * A row that another process is claiming is passed over, not waited for. A running job has no artifact yet, so the row is the whole job.
 */
const claimJob = statement(
  'claim_job',
  `UPDATE jobs SET status = 'running', lease_until = $2, attempts = attempts + 1
   WHERE id = (
     SELECT id FROM jobs
     WHERE status IN ('queued', 'running') AND (status = 'queued' OR lease_until <= $1) AND attempts < $3
       AND expires_at > $1
     ORDER BY created_at, id LIMIT 1 FOR UPDATE SKIP LOCKED)
   RETURNING ${columns}`,
);

const isClaimed = statement('is_claimed', `SELECT id FROM jobs WHERE id = $1 AND status = 'running' AND attempts = $2`);

/** Jobs with equal bytes share one artifact, which lives as long as the last of them. */
const beginArtifact = statement(
  'begin_artifact',
  `INSERT INTO artifacts (hash, media_type, size, expires_at, is_whole) VALUES ($1, $2, $3, $4, FALSE)
   ON CONFLICT (hash) DO UPDATE SET expires_at = greatest(artifacts.expires_at, excluded.expires_at)`,
);

const keepPart = statement(
  'keep_part',
  'INSERT INTO artifact_parts (hash, part, bytes) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
);

/** Job and artifact in one statement. */
const completeJob = statement(
  'complete_job',
  `WITH completed AS (
     UPDATE jobs
     SET status = 'completed', lease_until = NULL, artifact_hash = $3, revision = $4, finished_at = $5, expires_at = $6
     WHERE id = $1 AND status = 'running' AND attempts = $2
     RETURNING id)
   UPDATE artifacts SET is_whole = TRUE, expires_at = greatest(expires_at, $6)
   WHERE hash = $3 AND EXISTS (SELECT 1 FROM completed)`,
);

const failJob = statement(
  'fail_job',
  `UPDATE jobs SET status = 'failed', lease_until = NULL, failure = $3, finished_at = $4, expires_at = $5
   WHERE id = $1 AND status = 'running' AND attempts = $2`,
);

const postponeJob = statement(
  'postpone_job',
  `UPDATE jobs SET lease_until = $3 WHERE id = $1 AND status = 'running' AND attempts = $2`,
);

const failExhausted = statement(
  'fail_exhausted_jobs',
  `UPDATE jobs SET status = 'failed', lease_until = NULL, failure = $1, finished_at = $2, expires_at = $3
   WHERE status = 'running' AND lease_until <= $2 AND attempts >= $4
   RETURNING id`,
);

const findArtifact = statement(
  'find_artifact',
  'SELECT hash, media_type, size FROM artifacts WHERE hash = $1 AND expires_at > $2 AND is_whole',
);

const findPart = statement('find_part', 'SELECT bytes FROM artifact_parts WHERE hash = $1 AND part = $2');
