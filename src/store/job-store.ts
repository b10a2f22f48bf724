/** Export jobs and their artifacts, as the store keeps them. */

export type JobStatus = 'queued' | 'running' | 'completed' | 'failed';

/** Why a job failed: what a problem document needs to be made from. */
export interface JobFailure {
  readonly code: string;
  readonly detail: string;
  /** Whole seconds. */
  readonly retryAfter?: number;
}

export interface Job {
  readonly id: string;
  readonly clientId: string;
  readonly resource: string;
  readonly format: string;
  readonly status: JobStatus;
  /** How often the job was claimed; also the token that lets only the last claimant finish it. */
  readonly attempts: number;
  /** While running: when the lease expires and another process may claim it. */
  readonly leaseUntil: number | null;
  /** The content's revision that the artifact was made from. */
  readonly revision: string | null;
  /** SHA-256 of the artifact's bytes. */
  readonly artifact: { readonly hash: Uint8Array; readonly mediaType: string; readonly size: number } | null;
  readonly failure: JobFailure | null;
  readonly createdAt: number;
  readonly finishedAt: number | null;
}

export interface NewJob {
  readonly id: string;
  readonly clientId: string;
  readonly resource: string;
  readonly format: string;
  readonly createdAt: number;
}

/** What a job is until somebody claims it. */
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

/** An artifact that is kept, to be read part by part: there may be hundreds of megabytes of it. */
export interface KeptArtifact {
  readonly hash: Uint8Array;
  readonly mediaType: string;
  /** Of all parts. */
  readonly size: number;
  /** In order, each read when it is asked for. Throws when the artifact is removed in the meantime. */
  parts(): AsyncIterable<Uint8Array>;
}

export interface JobStore {
  /** False when the id is taken; nothing is changed then. The client's oldest finished jobs beyond `jobsPerClient` go. */
  createJob(job: NewJob): Promise<boolean>;
  /** A job that has not expired. */
  findJob(id: string, now: number): Promise<Job | undefined>;
  /** Takes the oldest job that is queued or whose lease ran out, for `lease` milliseconds, when it has attempts left. */
  claimJob(now: number, lease: number, maxAttempts: number): Promise<Job | undefined>;
  /**
   * Stores the artifact part by part, then completes the job and makes the artifact visible in one step; false when `attempt` is not
   * the job's last claim any more.
   */
  completeJob(id: string, attempt: number, artifact: Artifact, revision: string, now: number): Promise<boolean>;
  failJob(id: string, attempt: number, failure: JobFailure, now: number): Promise<boolean>;
  /** Gives a claimed job back, claimable from `until` on. */
  postponeJob(id: string, attempt: number, until: number): Promise<boolean>;
  /** Fails every job whose lease ran out on its last attempt; their ids. */
  failExhaustedJobs(now: number, maxAttempts: number, failure: JobFailure): Promise<string[]>;
  /** An artifact that has not expired. */
  findArtifact(hash: Uint8Array, now: number): Promise<KeptArtifact | undefined>;
}

/** Finished jobs and their artifacts are kept for seven days; a job that never finishes, as long after its start. */
export const jobLifetime = 7 * 86_400_000;
/** A client keeps its newest thousand jobs. */
export const jobsPerClient = 1000;

/** How long an incomplete artifact is kept; its writer completes it within that time. */
export const unfinishedLifetime = 3_600_000;

/** About a megabyte: reading or writing one takes a few milliseconds. */
const partBytes = 1_000_000;

/** The parts of a kept artifact until its size is reached; those of one file need not be of one length. */
export async function* readParts(
  size: number,
  read: (part: number) => Promise<Uint8Array | undefined>,
): AsyncGenerator<Uint8Array> {
  let left = size;
  for (let at = 0; left > 0; at += 1) {
    const part = await read(at);
    if (part === undefined) throw new Error('The exported file was removed while it was read.');
    left -= part.length;
    yield part;
  }
}

/** At least one part, in order. */
export function* partsOf(bytes: Uint8Array): Iterable<Uint8Array> {
  for (let at = 0; at === 0 || at < bytes.length; at += partBytes) yield bytes.subarray(at, at + partBytes);
}
