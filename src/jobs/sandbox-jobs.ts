/** The sandbox's export jobs: every process reads them from their ids, and each poll that claims a step advances them. */

import { randomBytes } from 'node:crypto';
import { writeDuration } from '../base/amount-in-words.ts';
import { ApiError } from '../base/api-error.ts';
import type { Clock } from '../base/clock.ts';
import { sha256Bytes } from '../base/hash.ts';
import { claimKey, type IdempotencyTable, type KeyedRequest } from '../store/idempotency.ts';
import { type Artifact, createQueuedJob, type Job, type JobStatus } from '../store/jobs.ts';
import { type Exporter, type ExportRequest, exportFormatNames } from './exporter.ts';
import { computeHmac, createJobIds, nonceBytes } from './sandbox-job-id.ts';

/** Options of the sandbox’s export jobs. */
export interface SandboxJobsOptions {
  readonly clock: Clock;
  /** The key that signs the ids. */
  readonly key: Uint8Array;
  readonly exporter: Exporter;
  /** The names of the resources that can be exported. */
  readonly resources: readonly string[];
  /** The table where polls and keys are claimed; processes that share it return the same states. */
  readonly table: IdempotencyTable;
  /** A job that is always completed and never expires, with its id and the time of its start in milliseconds since 1970. */
  readonly example?: ExportRequest & { readonly id: string; readonly createdAt: number };
}

/** The export jobs of the sandbox. */
export interface SandboxJobs {
  /**
   * Starts a job of the caller `principal`. The same Idempotency-Key of the same caller returns the same job for an hour
   * (`replayed`), or throws `idempotency_conflict` with another body; `idempotency` is null without a key.
   */
  start(
    principal: string,
    request: ExportRequest,
    idempotency: KeyedRequest | null,
  ): Promise<{ job: Job; replayed: boolean }>;
  /**
   * Returns the job; with `step`, the next call finds it in the next state: queued, running, completed. The example is always
   * completed. Every caller who has the id may read a job. Throws `not_found` if it is unknown or, except the example, older than
   * an hour.
   */
  get(id: string, options: { step: boolean }): Promise<Job>;
  /**
   * Returns the file of an export by the SHA-256 (hex) of its bytes, whether or not a job has completed it. Throws `not_found` if
   * there is none.
   */
  artifact(sha256: string): Promise<Artifact>;
}

/** Lifetime of a sandbox job in milliseconds. */
const lifetime = 3_600_000;
const states: readonly JobStatus[] = ['queued', 'running', 'completed'];

/**
 * Creates the export jobs of the sandbox. No queue runs them and no job is stored, because an id contains what is exported; a file
 * is made when it is needed and kept in memory.
 */
export function createSandboxJobs(options: SandboxJobsOptions): SandboxJobs {
  const { clock, key, exporter, resources, table, example } = options;
  const ids = createJobIds(key, resources);
  /** Files by resource and format. The fixtures are few and do not change. */
  const artifacts = new Map<string, Promise<{ artifact: Artifact; revision: string }>>();

  /**
   * Returns a job as it was when it was started, queued, or null if the id is invalid or, except the example's, older than an hour.
   */
  function find(id: string): Job | null {
    if (example !== undefined && id === example.id) return createJob(id, example, example.createdAt);
    const job = ids.read(id);
    return job !== null && job.createdAt + lifetime > clock.now() ? createJob(id, job, job.createdAt) : null;
  }

  function exportFile({ resource, format }: ExportRequest): Promise<{ artifact: Artifact; revision: string }> {
    const name = `${resource}.${format}`;
    let file = artifacts.get(name);
    if (file === undefined) {
      file = exporter(resource, format).then(({ bytes, mediaType, revision }) => ({
        artifact: { hash: sha256Bytes(bytes), mediaType, bytes },
        revision,
      }));
      artifacts.set(name, file);
      file.catch(() => artifacts.delete(name));
    }
    return file;
  }

  async function moveToStatus(job: Job, status: JobStatus): Promise<Job> {
    const attempts = status === 'queued' ? 0 : 1;
    if (status !== 'completed') return { ...job, status, attempts };
    const { artifact, revision } = await exportFile(job);
    const { hash, mediaType, bytes } = artifact;
    const finishedAt = job.createdAt;
    return { ...job, status, attempts, revision, finishedAt, artifact: { hash, mediaType, size: bytes.length } };
  }

  /** Counts the earlier polls of a job, and claims this one if it is a `step`. Returns the status for this poll. */
  async function findStatus(id: string, step: boolean): Promise<JobStatus> {
    for (const [index, status] of states.slice(0, -1).entries()) {
      const look = sha256Bytes(`sandbox look ${index} ${id}`);
      const isNext = step
        ? (await table.claimIdempotency(look, look, clock.now(), lifetime)).outcome === 'new'
        : !(await table.hasIdempotency(look, clock.now()));
      if (isNext) return status;
    }
    return 'completed';
  }

  /**
   * Claims the key, and returns the moment of its first use in milliseconds since 1970, the nonce that derives from it, and whether
   * it was used before. Throws `idempotency_conflict` for another body.
   */
  async function claimStart(principal: string, request: KeyedRequest) {
    const use = { scope: ['sandbox', principal], did: 'started an export', thing: 'export', lifetimeMs: lifetime };
    const { keyHash, claimedAt, replayed } = await claimKey(table, request, use, clock.now());
    return { createdAt: claimedAt, nonce: computeHmac(key, keyHash), replayed };
  }

  return {
    async start(principal, { resource, format }, idempotency) {
      const { createdAt, nonce, replayed } =
        idempotency === null
          ? { createdAt: clock.now(), nonce: randomBytes(nonceBytes), replayed: false }
          : await claimStart(principal, idempotency);
      const id = ids.write({ resource, format, createdAt }, nonce);
      const job = createJob(id, { resource, format }, createdAt);
      if (!replayed) return { job, replayed };
      return { job: await moveToStatus(job, await findStatus(id, false)), replayed };
    },

    async get(id, { step }) {
      const job = find(id);
      if (job === null) {
        const detail = `There is no such sandbox job. They last ${writeDuration(lifetime)}; start one with POST /api/v1/sandbox/exports.`;
        throw new ApiError('not_found', detail);
      }
      return moveToStatus(job, id === example?.id ? 'completed' : await findStatus(id, step));
    },

    async artifact(sha256) {
      // Every process has the fixtures, so each can make the file, whichever process completed the job.
      for (const resource of resources) {
        for (const format of exportFormatNames) {
          const { artifact } = await exportFile({ resource, format });
          if (Buffer.from(artifact.hash).toString('hex') === sha256) return artifact;
        }
      }
      throw new ApiError('not_found', 'There is no such sandbox export. Start one and poll it until it is completed.');
    },
  };
}

const createJob = (id: string, { resource, format }: ExportRequest, createdAt: number): Job =>
  createQueuedJob({ id, clientId: 'sandbox', resource, format, createdAt });
