/** The sandbox's export jobs: known by their ids to every process, and one state further with each look that is claimed. */

import { randomBytes } from 'node:crypto';
import { durationInWords } from '../base/amount-in-words.ts';
import { ApiError } from '../base/api-error.ts';
import type { Clock } from '../base/clock.ts';
import { sha256Bytes } from '../base/hash.ts';
import { claimKey, type IdempotencyTable, type KeyedRequest } from '../store/idempotency.ts';
import { type Artifact, type Job, type JobStatus, queuedJob } from '../store/job-store.ts';
import { type Exporter, type ExportRequest, exportFormats } from './exporter.ts';
import { createJobIds, hmac, nonceBytes } from './sandbox-job-id.ts';

export interface SandboxJobsOptions {
  readonly clock: Clock;
  readonly key: Uint8Array;
  readonly exporter: Exporter;
  /** The names of the resources that can be exported. */
  readonly resources: readonly string[];
  /** Where looks and keys are claimed: shared where several processes are to give one answer. */
  readonly table: IdempotencyTable;
  /** A finished job that is always there. */
  readonly example?: ExportRequest & { readonly id: string; readonly createdAt: number };
}

export interface SandboxJobs {
  /** The same key of the same caller gives the same job while it lives, with another body `idempotency_conflict`. */
  start(
    principal: string,
    request: ExportRequest,
    idempotency: KeyedRequest | null,
  ): Promise<{ job: Job; replayed: boolean }>;
  /**
   * The job as it is; with `step`, the next look finds it one state further: queued, running, completed. Whoever knows the
   * id may look. Throws `not_found` for a job that is unknown or older than an hour.
   */
  get(id: string, options: { step: boolean }): Promise<Job>;
  /** The file of a completed job by the SHA-256 (hex) of its bytes. Throws `not_found`. */
  artifact(sha256: string): Promise<Artifact>;
}

const lifetime = 3_600_000;
const states: readonly JobStatus[] = ['queued', 'running', 'completed'];

export function createSandboxJobs(options: SandboxJobsOptions): SandboxJobs {
  const { clock, key, exporter, resources, table, example } = options;
  const ids = createJobIds(key, resources);
  /** By resource and format: the fixtures are few and do not change. */
  const artifacts = new Map<string, Promise<{ artifact: Artifact; revision: string }>>();

  /** The job as it was started; null for an id that is not one, or older than an hour. */
  function find(id: string): Job | null {
    if (example !== undefined && id === example.id) return newJob(id, example, example.createdAt);
    const made = ids.read(id);
    return made !== null && made.createdAt + lifetime > clock.now() ? newJob(id, made, made.createdAt) : null;
  }

  function exported({ resource, format }: ExportRequest): Promise<{ artifact: Artifact; revision: string }> {
    const name = `${resource}.${format}`;
    let made = artifacts.get(name);
    if (made === undefined) {
      made = exporter(resource, format).then(({ bytes, mediaType, revision }) => ({
        artifact: { hash: sha256Bytes(bytes), mediaType, bytes },
        revision,
      }));
      artifacts.set(name, made);
      made.catch(() => artifacts.delete(name));
    }
    return made;
  }

  async function inState(job: Job, status: JobStatus): Promise<Job> {
    const attempts = status === 'queued' ? 0 : 1;
    if (status !== 'completed') return { ...job, status, attempts };
    const { artifact, revision } = await exported(job);
    const { hash, mediaType, bytes } = artifact;
    const finishedAt = job.createdAt;
    return { ...job, status, attempts, revision, finishedAt, artifact: { hash, mediaType, size: bytes.length } };
  }

  /** How many looks a job has had before this one, which counts when it is a `step`. */
  async function looksAt(id: string, step: boolean): Promise<number> {
    for (const [index] of states.slice(1).entries()) {
      const look = sha256Bytes(`sandbox look ${index} ${id}`);
      const isNext = step
        ? (await table.claimIdempotency(look, look, clock.now(), lifetime)).outcome === 'new'
        : !(await table.hasIdempotency(look, clock.now()));
      if (isNext) return index;
    }
    return states.length - 1;
  }

  /** When the key was first used, or now. */
  async function startOf(principal: string, request: KeyedRequest) {
    const use = { scope: ['sandbox', principal], did: 'started an export', thing: 'export', lifetimeMs: lifetime };
    const { keyHash, claimedAt, replayed } = await claimKey(table, request, use, clock.now());
    return { createdAt: claimedAt, nonce: hmac(key, keyHash), replayed };
  }

  return {
    async start(principal, { resource, format }, idempotency) {
      const { createdAt, nonce, replayed } =
        idempotency === null
          ? { createdAt: clock.now(), nonce: randomBytes(nonceBytes), replayed: false }
          : await startOf(principal, idempotency);
      const id = ids.write({ resource, format, createdAt }, nonce);
      const job = newJob(id, { resource, format }, createdAt);
      if (!replayed) return { job, replayed };
      return { job: await inState(job, states[await looksAt(id, false)] ?? 'completed'), replayed };
    },

    async get(id, { step }) {
      const job = find(id);
      if (job === null) {
        const detail = `There is no such sandbox job. They last ${durationInWords(lifetime)}; start one with POST /api/v1/sandbox/exports.`;
        throw new ApiError('not_found', detail);
      }
      const looks = id === example?.id ? states.length - 1 : await looksAt(id, step);
      return inState(job, states[looks] ?? 'completed');
    },

    async artifact(sha256) {
      // Whichever process wrote it: they all have the fixtures.
      for (const resource of resources) {
        for (const format of exportFormats) {
          const { artifact } = await exported({ resource, format });
          if (Buffer.from(artifact.hash).toString('hex') === sha256) return artifact;
        }
      }
      throw new ApiError('not_found', 'There is no such sandbox export. Start one and poll it until it is completed.');
    },
  };
}

const newJob = (id: string, { resource, format }: ExportRequest, createdAt: number): Job =>
  queuedJob({ id, clientId: 'sandbox', resource, format, createdAt });
