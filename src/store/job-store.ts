/** Export jobs and the files that they make, as the store keeps them. */

export type JobStatus = 'queued' | 'running' | 'completed' | 'failed';

/** Why a job failed: the parts of its problem document. */
export interface JobFailure {
  readonly code: string;
  readonly detail: string;
  /** Whole seconds after which a new attempt makes sense. */
  readonly retryAfter?: number;
}

export interface Job {
  readonly id: string;
  readonly clientId: string;
  readonly resource: string;
  readonly format: string;
  readonly status: JobStatus;
  /** How often the job was claimed. Only the holder of the last claim can finish the job. */
  readonly attempts: number;
  /** When the lease of a running job expires, so that another process may claim it; otherwise null. */
  readonly leaseUntil: number | null;
  /** The revision of the content that the artifact was made from, or null before the job is completed. */
  readonly revision: string | null;
  /** The completed file, with the SHA-256 of its bytes as hash. */
  readonly artifact: { readonly hash: Uint8Array; readonly mediaType: string; readonly size: number } | null;
  readonly failure: JobFailure | null;
  readonly createdAt: number;
  readonly finishedAt: number | null;
}

/** A job before it is stored. */
export type NewJob = Pick<Job, 'id' | 'clientId' | 'resource' | 'format' | 'createdAt'>;

/** Returns the job as it is until a process claims it. */
export const queuedJob = (job: NewJob): Job => ({
  ...job,
  status: 'queued',
  attempts: 0,
  leaseUntil: null,
  revision: null,
  artifact: null,
  failure: null,
  finishedAt: null,
});

export interface Artifact {
  readonly hash: Uint8Array;
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

/** A stored artifact, which is read part by part, because it can have hundreds of megabytes. */
export interface StoredArtifact {
  readonly hash: Uint8Array;
  readonly mediaType: string;
  /** Total size of the artifact in bytes. */
  readonly size: number;
  /** Yields the parts in order and reads each one when the consumer asks for it. Throws if the artifact is deleted meanwhile. */
  parts(): AsyncIterable<Uint8Array>;
}

export interface JobStore {
  /**
   * Stores a job and deletes the client's oldest finished jobs beyond `jobsPerClient`. Returns false and changes nothing
   * if the id is taken.
   */
  createJob(job: NewJob): Promise<boolean>;
  /** Finds a job that has not expired. */
  findJob(id: string, now: number): Promise<Job | undefined>;
  /** Claims the oldest job with attempts left that is queued or whose lease expired, for `lease` milliseconds. */
  claimJob(now: number, lease: number, maxAttempts: number): Promise<Job | undefined>;
  /**
   * Stores the artifact part by part, then completes the job and makes the artifact visible in one step. Returns false if
   * `attempt` is no longer the job's last claim.
   */
  completeJob(id: string, attempt: number, artifact: Artifact, revision: string, now: number): Promise<boolean>;
  /** Fails the job, or returns false if `attempt` is no longer its last claim. */
  failJob(id: string, attempt: number, failure: JobFailure, now: number): Promise<boolean>;
  /** Releases a claimed job, which can be claimed again from `until` on. */
  postponeJob(id: string, attempt: number, until: number): Promise<boolean>;
  /** Fails every job whose lease expired on its last attempt, and returns their ids. */
  failExhaustedJobs(now: number, maxAttempts: number, failure: JobFailure): Promise<string[]>;
  /** Finds a complete artifact that has not expired. */
  findArtifact(hash: Uint8Array, now: number): Promise<StoredArtifact | undefined>;
}

/** Lifetime of a job and of its artifact after the job has finished, in milliseconds. A job that never finishes lives as long from its start. */
export const jobLifetime = 7 * 86_400_000;
/** Number of jobs that a client keeps; the oldest finished ones are deleted. */
export const jobsPerClient = 1000;

/** Lifetime of an incomplete artifact, in milliseconds; its writer completes it within that time. */
export const unfinishedLifetime = 3_600_000;

/** Size of a part in bytes; reading or writing one takes a few milliseconds. */
const partBytes = 1_000_000;

/** Yields the parts of a stored artifact until its size is reached. */
export async function* readParts(
  size: number,
  read: (index: number) => Promise<Uint8Array | undefined>,
): AsyncGenerator<Uint8Array> {
  let left = size;
  for (let index = 0; left > 0; index += 1) {
    const part = await read(index);
    if (part === undefined) throw new Error('The exported file was removed while it was read.');
    left -= part.length;
    yield part;
  }
}

/** Splits a file into parts. An empty file has one empty part. */
export function* splitIntoParts(bytes: Uint8Array): Iterable<Uint8Array> {
  for (let offset = 0; offset === 0 || offset < bytes.length; offset += partBytes)
    yield bytes.subarray(offset, offset + partBytes);
}
