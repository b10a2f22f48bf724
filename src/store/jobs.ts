/** Export jobs, and the files that they make. */
import { setImmediate } from 'node:timers/promises';
import type { Database, Queries, Row } from './database.ts';
import { bytes, createChoiceColumn, defineRecord, integer, json, nullable, type RecordType, text } from './record.ts';

/** The part of the store that creates, claims, completes and finds export jobs and their artifacts. */
export type JobStore = ReturnType<typeof createJobStore>;

/**
 * Lifetime of a job and of its artifact after the job has finished, in milliseconds. A job that never finishes lives as long from
 * its start.
 */
export const jobLifetime = 7 * 86_400_000;
/** Number of jobs that a client keeps; the oldest finished ones are deleted. */
export const jobsPerClient = 1000;
/** Lifetime of an incomplete artifact, in milliseconds; its writer completes it within that time. */
const unfinishedLifetime = 3_600_000;
/** Size of a part in bytes; reading or writing one takes a few milliseconds. */
const partBytes = 1_000_000;

/** Creates the part of the store that creates, claims, completes and finds export jobs and their artifacts. */
export function createJobStore(database: Database) {
  return {
    /**
     * Stores a job and deletes the client's oldest finished jobs beyond `jobsPerClient`. Returns false and changes nothing
     * if the id is taken.
     */
    createJob: (job: NewJob) =>
      database.transaction(async (queries) => {
        // The lock orders concurrent jobs of a client, so that each sees those before it and `jobsPerClient` is not exceeded.
        await queries.get('SELECT id FROM clients WHERE id = ?1 FOR NO KEY UPDATE', job.clientId);
        if (!(await newJob.insert(queries, { ...job, expiresAt: job.createdAt + jobLifetime }))) return false;
        await queries.run(deleteOldestJobs, job.clientId, jobsPerClient);
        return true;
      }),

    /** Finds a job that has not expired, or returns undefined. */
    async findJob(id: string, now: number): Promise<Job | undefined> {
      const row = await database.get(findJob, id, now);
      return row && toJob(row);
    },

    /**
     * Claims the oldest unexpired job that is queued or whose lease expired, for `lease` milliseconds. Returns undefined if there
     * is none.
     */
    async claimJob(now: number, lease: number): Promise<Job | undefined> {
      const row = await database.get(claimJob, now, now + lease);
      return row && toJob(row);
    },

    /**
     * Stores the artifact part by part, then completes the job and makes the artifact visible in one step. Returns false if
     * `attempt` is no longer the job's last claim.
     */
    async completeJob(id: string, attempt: number, file: Artifact, revision: string, now: number): Promise<boolean> {
      await writeParts(database, file, now + unfinishedLifetime);
      return database.transaction(async (queries) => {
        const expiresAt = now + jobLifetime;
        if ((await queries.run(completeJob, file.hash, revision, now, expiresAt, id, attempt)) === 0) return false;
        await queries.run(completeArtifact, file.hash, expiresAt);
        return true;
      });
    },

    /** Fails the job, or returns false if `attempt` is no longer its last claim. */
    async failJob(id: string, attempt: number, failure: JobFailure, now: number): Promise<boolean> {
      return (await database.run(failJob, JSON.stringify(failure), now, now + jobLifetime, id, attempt)) === 1;
    },

    /**
     * Releases a claimed job, which can be claimed again from the moment `until` on. Returns false if `attempt` is no longer its
     * last claim.
     */
    async postponeJob(id: string, attempt: number, until: number): Promise<boolean> {
      const sql = "UPDATE jobs SET lease_until = ?3 WHERE id = ?1 AND status = 'running' AND attempts = ?2";
      return (await database.run(sql, id, attempt, until)) === 1;
    },

    /** Finds a complete artifact that has not expired, or returns undefined. */
    async findArtifact(hash: Uint8Array, now: number): Promise<StoredArtifact | undefined> {
      const file = await artifact.find(database, 'hash = ?1 AND expires_at > ?2 AND is_whole = 1', hash, now);
      return file && { ...file, hash, parts: () => readParts(database, hash, file.size) };
    },
  };
}

/**
 * Yields the parts of an exported file, each read by a statement of its own, so that a slow reader keeps no connection from others.
 * Throws an Error if the file is removed meanwhile.
 */
async function* readParts(database: Database, hash: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let remainingBytes = size, index = 0; remainingBytes > 0; index += 1) {
    await setImmediate();
    const part = await artifactPart.find(database, 'hash = ?1 AND part = ?2', hash, index);
    if (part === undefined) throw new Error('The exported file was removed while it was read.');
    remainingBytes -= part.bytes.length;
    yield part.bytes;
  }
}

/**
 * Stores a file part by part, with other requests in between. It stays incomplete until its job is completed, and can be deleted
 * from `expiresAt` on, in milliseconds since 1970. One that is stored already is kept until then at least, and otherwise stays as
 * it is.
 */
export async function writeParts(queries: Queries, file: Artifact, expiresAt: number): Promise<void> {
  const { hash, mediaType, bytes: content } = file;
  await queries.run(beginArtifact, hash, mediaType, content.length, expiresAt);
  // An empty file is stored as one empty part.
  for (let part = 0; part === 0 || part * partBytes < content.length; part += 1) {
    await setImmediate();
    const bytes = content.subarray(part * partBytes, (part + 1) * partBytes);
    await artifactPart.insert(queries, { hash, part, bytes });
  }
  await setImmediate();
}

/** Why a job failed: the parts of its problem document. */
export interface JobFailure {
  readonly code: string;
  readonly detail: string;
  /** Whole seconds after which a new attempt makes sense; left out if that is not known. */
  readonly retryAfter?: number;
}

const request = { id: text, clientId: text, resource: text, format: text, createdAt: integer };
const newJob = defineRecord('jobs', { ...request, expiresAt: integer });
const storedJob = defineRecord('jobs', {
  ...request,
  status: createChoiceColumn('queued', 'running', 'completed', 'failed'),
  /** How often the job was claimed. Only the holder of the last claim can finish the job. */
  attempts: integer,
  /** When the lease of a running job expires, so that another process may claim it; otherwise null. */
  leaseUntil: nullable(integer),
  /** The revision of the content that the artifact was made from, or null before the job is completed. */
  revision: nullable(text),
  artifactHash: nullable(bytes),
  failure: nullable(json<JobFailure>()),
  finishedAt: nullable(integer),
});
/** Type and total size in bytes of an exported file. */
const artifact = defineRecord('artifacts', { mediaType: text, size: integer });
const artifactPart = defineRecord('artifact_parts', { hash: bytes, part: integer, bytes });

/** An export job before it is stored, as its client requested it. `createdAt` is in milliseconds since 1970. */
export type NewJob = Omit<RecordType<typeof newJob>, 'expiresAt'>;
/**
 * A stored export job. `attempts` is how often it was claimed. `leaseUntil` is null unless the job is running, `failure` unless it
 * failed, `revision` until it is completed, and `finishedAt` until it is completed or has failed. Moments are in milliseconds since
 * 1970.
 */
export interface Job extends Omit<RecordType<typeof storedJob>, 'artifactHash'> {
  /** The completed file, with the SHA-256 of its bytes as hash and its size in bytes, or null until the job is completed. */
  readonly artifact: { readonly hash: Uint8Array; readonly mediaType: string; readonly size: number } | null;
}
/** The state of a job: `queued`, `running`, `completed` or `failed`. */
export type JobStatus = Job['status'];

/** An exported file with its bytes; the hash is their SHA-256. */
export interface Artifact {
  readonly hash: Uint8Array;
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

/** A stored artifact, which is read part by part, because it can have hundreds of megabytes. */
export interface StoredArtifact extends Omit<Artifact, 'bytes'> {
  /** Total size of the artifact in bytes. */
  readonly size: number;
  /** Yields the parts in order and reads each one when the consumer asks for it. Throws if the artifact is deleted meanwhile. */
  parts(): AsyncIterable<Uint8Array>;
}

/** Returns the job as it is until a process claims it. Stores nothing. */
export const createQueuedJob = (job: NewJob): Job => ({
  ...job,
  status: 'queued',
  attempts: 0,
  leaseUntil: null,
  revision: null,
  artifact: null,
  failure: null,
  finishedAt: null,
});

/** Reads a job, with the columns of its artifact if it has one. */
function toJob(row: Row): Job {
  const { artifactHash: hash, ...fields } = storedJob.read(row);
  return { ...fields, artifact: hash === null ? null : { hash, ...artifact.read(row) } };
}

const deleteOldestJobs = `
  DELETE FROM jobs WHERE status IN ('completed', 'failed') AND id IN (
    SELECT id FROM jobs WHERE client_id = ?1 ORDER BY created_at DESC, id LIMIT 1000000 OFFSET ?2)`;

const findJob = `
  SELECT ${storedJob.columns}, artifacts.media_type, artifacts.size
  FROM jobs LEFT JOIN artifacts ON artifacts.hash = jobs.artifact_hash
  WHERE id = ?1 AND jobs.expires_at > ?2`;

/** Skips a row that another process is claiming. A running job has no artifact yet, so the row is the whole job. */
const claimJob = `
  UPDATE jobs SET status = 'running', lease_until = ?2, attempts = attempts + 1
  WHERE id = (
    SELECT id FROM jobs
    WHERE status IN ('queued', 'running') AND (status = 'queued' OR lease_until <= ?1) AND expires_at > ?1
    ORDER BY created_at, id LIMIT 1 FOR UPDATE SKIP LOCKED)
  RETURNING ${storedJob.columns}`;

/** Jobs with equal bytes share one artifact, which lives as long as the last of them. */
const beginArtifact = `
  INSERT INTO artifacts (hash, media_type, size, expires_at, is_whole) VALUES (?1, ?2, ?3, ?4, 0)
  ON CONFLICT (hash) DO UPDATE SET expires_at = excluded.expires_at WHERE artifacts.expires_at < excluded.expires_at`;

const completeJob = `
  UPDATE jobs SET status = 'completed', lease_until = NULL, artifact_hash = ?1, revision = ?2, finished_at = ?3, expires_at = ?4
  WHERE id = ?5 AND status = 'running' AND attempts = ?6`;

const completeArtifact = `
  UPDATE artifacts SET is_whole = 1, expires_at = CASE WHEN expires_at < ?2 THEN ?2 ELSE expires_at END
  WHERE hash = ?1`;

const failJob = `
  UPDATE jobs SET status = 'failed', lease_until = NULL, failure = ?1, finished_at = ?2, expires_at = ?3
  WHERE id = ?4 AND status = 'running' AND attempts = ?5`;
