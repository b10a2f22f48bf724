/** Export jobs: started with an idempotency key, and read only by the client that started them. */
import { createHmac, randomBytes } from 'node:crypto';
import { writeDuration } from '../base/amount-in-words.ts';
import { ApiError } from '../base/api-error.ts';
import { claimKey, type KeyedRequest } from '../store/idempotency.ts';
import { createQueuedJob, type Job, jobLifetime, type StoredArtifact } from '../store/jobs.ts';
import type { Store } from '../store/store.ts';
import type { ExportRequest } from './exporter.ts';
import { createRunner, type RunnerOptions } from './runner.ts';

/** Options of the export jobs. */
export interface JobsOptions extends RunnerOptions {
  readonly store: Store;
  /** The server's secret key, at least 32 bytes, which is not checked. The ids of jobs with an Idempotency-Key derive from it. */
  readonly key: Uint8Array;
  /** The secret key before it was replaced, whose ids are still found; left out if there is none. */
  readonly previousKey?: Uint8Array | undefined;
}

/** The client that a job belongs to. */
export interface JobOwner {
  readonly clientId: string;
}

/** The export jobs of the API. */
export interface Jobs {
  /**
   * Stores a queued job and wakes the runner. Once this resolves, the job will be finished even after a crash. The same
   * Idempotency-Key of the same client returns the same job as it is now for 24 hours (`replayed`), or throws
   * `idempotency_conflict` with another body; `idempotency` is null without a key.
   */
  start(
    owner: JobOwner,
    request: ExportRequest,
    idempotency: KeyedRequest | null,
  ): Promise<{ job: Job; replayed: boolean }>;
  /** Returns a job. Throws `not_found` if it is unknown, expired or another client's. */
  get(owner: JobOwner, id: string): Promise<Job>;
  /**
   * Returns the job as soon as it is finished, or as it is after `ms` milliseconds; more than 10,000 count as 10,000. Throws as
   * `get` does.
   */
  waitFor(owner: JobOwner, id: string, ms: number): Promise<Job>;
  /** Returns the file of a completed job by the SHA-256 (hex) of its bytes. Throws `not_found` if it is unknown or expired. */
  artifact(sha256: string): Promise<StoredArtifact>;
  /** Runs unfinished jobs, and from then on new ones. */
  run(): void;
  /** Claims no other job, and resolves when the current one has ended. */
  close(): Promise<void>;
}

/** Creates the export jobs of the API, with the runner of this process that makes their files and waits for `run()`. */
export function createJobs(options: JobsOptions): Jobs {
  const { store, clock, key, previousKey } = options;
  const runner = createRunner(options);

  async function get(owner: JobOwner, id: string): Promise<Job> {
    const job = /^job_[0-9a-z]{1,64}$/.test(id) ? await store.findJob(id, clock.now()) : undefined;
    if (job?.clientId === owner.clientId) return job;
    throw new ApiError(
      'not_found',
      `There is no such job of this client. Jobs are kept for ${writeDuration(jobLifetime)}; start one with POST /api/v1/exports.`,
    );
  }

  return {
    get,
    run: runner.run,
    close: runner.close,

    async start(owner, { resource, format }, idempotency) {
      const { id, now } = await createId(owner, idempotency);
      const job = { id, clientId: owner.clientId, resource, format, createdAt: now };
      if (!(await store.createJob(job))) return { job: await get(owner, id), replayed: true };
      runner.wake();
      return { job: createQueuedJob(job), replayed: false };
    },

    async waitFor(owner, id, ms) {
      const end = clock.monotonic() + Math.min(Math.max(ms, 0), maxWaitMs);
      for (;;) {
        const nextEnd = runner.nextEnd(id);
        const job = await get(owner, id);
        const remainingMs = end - clock.monotonic();
        if (job.finishedAt !== null || remainingMs <= 0) {
          nextEnd.cancel();
          return job;
        }
        const { promise: elapsed, resolve } = Promise.withResolvers<void>();
        const cancel = clock.after(Math.min(remainingMs, recheckMs), resolve);
        await Promise.race([nextEnd.ended, elapsed]);
        cancel();
        nextEnd.cancel();
      }
    },

    async artifact(sha256) {
      const hash = /^[0-9a-f]{64}$/.test(sha256) ? Buffer.from(sha256, 'hex') : undefined;
      const artifact = hash === undefined ? undefined : await store.findArtifact(hash, clock.now());
      if (artifact !== undefined) return artifact;
      throw new ApiError(
        'not_found',
        `There is no such export. Files are kept for ${writeDuration(jobLifetime)}; start the export again.`,
      );
    },
  };

  /**
   * Returns the id of a job and, with or without a key, the current time in milliseconds since 1970. The id is random without a
   * key; with one it derives from the key and the moment of its first claim, so that a retry recovers from a crash between claim
   * and job. Throws `idempotency_conflict` for another body.
   */
  async function createId(owner: JobOwner, idempotency: KeyedRequest | null): Promise<{ id: string; now: number }> {
    const now = clock.now();
    if (idempotency === null) return { id: `job_${randomBytes(20).toString('hex')}`, now };
    const use = { scope: [owner.clientId, 'exports'], did: 'started an export', thing: 'export' };
    const { claimedAt } = await claimKey(store, idempotency, use, now);
    const parts = JSON.stringify(['job', ...use.scope, idempotency.key, claimedAt]);
    const derive = (by: Uint8Array): string =>
      `job_${createHmac('sha256', by).update(parts).digest().subarray(0, 20).toString('hex')}`;
    const earlier = previousKey === undefined ? undefined : await store.findJob(derive(previousKey), now);
    return { id: earlier?.id ?? derive(key), now };
  }
}

/** Maximum time that a request waits for a job, in milliseconds. */
export const maxWaitMs = 10_000;
/** Interval at which a waiting request looks for a job that another process finishes, in milliseconds. */
const recheckMs = 500;
