/** Export jobs and artifacts in SQLite. */
import { setImmediate } from 'node:timers/promises';
import { type JobStore, jobLifetime, jobsPerClient, partsOf, readParts, unfinishedLifetime } from '../job-store.ts';
import { jobColumns, jobValues } from '../new-rows.ts';
import { bytes, integer, text } from '../row.ts';
import { toJob } from '../rows.ts';
import type { Connection } from './connection.ts';

export function createSqliteJobs(connection: Connection): JobStore {
  return {
    async createJob(job) {
      return connection.transaction(() => {
        connection.run(dropOldestJobs, job.clientId, jobsPerClient - 1);
        return connection.run(insertJob, ...jobValues(job)) === 1;
      });
    },

    async findJob(id, now) {
      const row = connection.get(`${selectJob} WHERE id = ? AND jobs.expires_at > ?`, id, now);
      return row === undefined ? undefined : toJob(row);
    },

    async claimJob(now, lease, maxAttempts) {
      const row = connection.get(claimJob, now + lease, now, maxAttempts, now);
      return row === undefined ? undefined : toJob(row);
    },

    async completeJob(id, attempt, { hash, mediaType, bytes: content }, revision, now) {
      if (connection.get(isClaimed, id, attempt) === undefined) return false;
      connection.run(beginArtifact, hash, mediaType, content.length, now + unfinishedLifetime);
      for (const [part, some] of [...partsOf(content)].entries()) {
        await setImmediate();
        connection.run(keepPart, hash, part, some);
      }
      await setImmediate();
      return connection.transaction(() => {
        const expiresAt = now + jobLifetime;
        if (connection.run(completeJob, hash, revision, now, expiresAt, id, attempt) === 0) return false;
        connection.run(completeArtifact, expiresAt, hash);
        return true;
      });
    },

    async failJob(id, attempt, failure, now) {
      return connection.run(failJob, JSON.stringify(failure), now, now + jobLifetime, id, attempt) === 1;
    },

    async postponeJob(id, attempt, until) {
      const sql = "UPDATE jobs SET lease_until = ? WHERE id = ? AND status = 'running' AND attempts = ?";
      return connection.run(sql, until, id, attempt) === 1;
    },

    async failExhaustedJobs(now, maxAttempts, failure) {
      const rows = connection.all(failExhausted, JSON.stringify(failure), now, now + jobLifetime, now, maxAttempts);
      return rows.map((row) => text(row, 'id'));
    },

    async findArtifact(hash, now) {
      const row = connection.get(findArtifact, hash, now);
      if (row === undefined) return undefined;
      const size = integer(row, 'size');
      const read = async (part: number) => {
        await setImmediate();
        const found = connection.get(findPart, hash, part);
        return found && bytes(found, 'bytes');
      };
      return { hash: bytes(row, 'hash'), mediaType: text(row, 'media_type'), size, parts: () => readParts(size, read) };
    },
  };
}

const insertJob = `
  INSERT INTO jobs (${jobColumns}) VALUES (?, ?, ?, ?, ?, ?)
  ON CONFLICT DO NOTHING`;

const dropOldestJobs = `
  DELETE FROM jobs WHERE status IN ('completed', 'failed') AND id IN (
    SELECT id FROM jobs WHERE client_id = ? ORDER BY created_at DESC, id LIMIT -1 OFFSET ?)`;

const selectJob = `
  SELECT jobs.*, artifacts.media_type, artifacts.size
  FROM jobs LEFT JOIN artifacts ON artifacts.hash = jobs.artifact_hash`;

/** A running job has no artifact yet, so the row is the whole job. */
const claimJob = `
  UPDATE jobs SET status = 'running', lease_until = ?, attempts = attempts + 1
  WHERE id = (
    SELECT id FROM jobs
    WHERE status IN ('queued', 'running') AND (status = 'queued' OR lease_until <= ?) AND attempts < ? AND expires_at > ?
    ORDER BY created_at, id LIMIT 1)
  RETURNING *`;

const completeJob = `
  UPDATE jobs SET status = 'completed', lease_until = NULL, artifact_hash = ?, revision = ?, finished_at = ?, expires_at = ?
  WHERE id = ? AND status = 'running' AND attempts = ?`;

const isClaimed = "SELECT 1 FROM jobs WHERE id = ? AND status = 'running' AND attempts = ?";

/** Jobs with equal bytes share one artifact, which lives as long as the last of them. */
const beginArtifact = `
  INSERT INTO artifacts (hash, media_type, size, expires_at, is_whole) VALUES (?, ?, ?, ?, 0)
  ON CONFLICT (hash) DO UPDATE SET expires_at = max(artifacts.expires_at, excluded.expires_at)`;

const keepPart = 'INSERT INTO artifact_parts (hash, part, bytes) VALUES (?, ?, ?) ON CONFLICT DO NOTHING';

const completeArtifact = 'UPDATE artifacts SET is_whole = 1, expires_at = max(expires_at, ?) WHERE hash = ?';

const findArtifact = 'SELECT hash, media_type, size FROM artifacts WHERE hash = ? AND expires_at > ? AND is_whole = 1';

const findPart = 'SELECT bytes FROM artifact_parts WHERE hash = ? AND part = ?';

const failJob = `
  UPDATE jobs SET status = 'failed', lease_until = NULL, failure = ?, finished_at = ?, expires_at = ?
  WHERE id = ? AND status = 'running' AND attempts = ?`;

const failExhausted = `
  UPDATE jobs SET status = 'failed', lease_until = NULL, failure = ?, finished_at = ?, expires_at = ?
  WHERE status = 'running' AND lease_until <= ? AND attempts >= ?
  RETURNING id`;
