/** Export jobs and artefacts in SQLite. */
import { type Artefact, type JobStore, jobLifetime, jobsPerClient } from '../job-store.ts';
import { jobColumns, jobValues } from '../new-rows.ts';
import { bytes, text } from '../row.ts';
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

    async completeJob(id, attempt, artefact, revision, now) {
      return connection.transaction(() => {
        const expiresAt = now + jobLifetime;
        if (connection.run(completeJob, artefact.hash, revision, now, expiresAt, id, attempt) === 0) return false;
        connection.run(
          keepArtefact,
          artefact.hash,
          artefact.mediaType,
          artefact.bytes.length,
          expiresAt,
          artefact.bytes,
        );
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

    async findArtefact(hash, now): Promise<Artefact | undefined> {
      const sql = 'SELECT hash, media_type, bytes FROM artefacts WHERE hash = ? AND expires_at > ?';
      const row = connection.get(sql, hash, now);
      if (row === undefined) return undefined;
      return { hash: bytes(row, 'hash'), mediaType: text(row, 'media_type'), bytes: bytes(row, 'bytes') };
    },

    async findArtefactType(hash, now): Promise<string | undefined> {
      const row = connection.get('SELECT media_type FROM artefacts WHERE hash = ? AND expires_at > ?', hash, now);
      return row === undefined ? undefined : text(row, 'media_type');
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
  SELECT jobs.*, artefacts.media_type, artefacts.size
  FROM jobs LEFT JOIN artefacts ON artefacts.hash = jobs.artefact_hash`;

/** A running job has no artefact yet, so the row alone is the whole job. */
const claimJob = `
  UPDATE jobs SET status = 'running', lease_until = ?, attempts = attempts + 1
  WHERE id = (
    SELECT id FROM jobs
    WHERE status IN ('queued', 'running') AND (status = 'queued' OR lease_until <= ?) AND attempts < ? AND expires_at > ?
    ORDER BY created_at, id LIMIT 1)
  RETURNING *`;

const completeJob = `
  UPDATE jobs SET status = 'completed', lease_until = NULL, artefact_hash = ?, revision = ?, finished_at = ?, expires_at = ?
  WHERE id = ? AND status = 'running' AND attempts = ?`;

/** Jobs with equal bytes share one artefact, which lives as long as the last of them. */
const keepArtefact = `
  INSERT INTO artefacts (hash, media_type, size, expires_at, bytes) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (hash) DO UPDATE SET expires_at = max(artefacts.expires_at, excluded.expires_at)`;

const failJob = `
  UPDATE jobs SET status = 'failed', lease_until = NULL, failure = ?, finished_at = ?, expires_at = ?
  WHERE id = ? AND status = 'running' AND attempts = ?`;

const failExhausted = `
  UPDATE jobs SET status = 'failed', lease_until = NULL, failure = ?, finished_at = ?, expires_at = ?
  WHERE status = 'running' AND lease_until <= ? AND attempts >= ?
  RETURNING id`;
