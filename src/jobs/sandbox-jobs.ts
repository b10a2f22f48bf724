/** The sandbox's export jobs: in memory, bounded, and one state further with each look, so that a client sees all of them. */
import { createHmac, randomBytes } from 'node:crypto';
import { ApiError } from '../base/api-error.ts';
import { canonicalJson } from '../base/canonical-json.ts';
import type { Clock } from '../base/clock.ts';
import { sha256Bytes, sha256Hex } from '../base/hash.ts';
import { toBase32 } from '../base/ids.ts';
import type { Artefact, Job, JobStatus } from '../store/job-store.ts';
import type { Exporter, ExportRequest } from './exporter.ts';
import type { IdempotentRequest } from './jobs.ts';

export interface SandboxJobsOptions {
  readonly clock: Clock;
  readonly key: Uint8Array;
  readonly exporter: Exporter;
  /** Beyond this many the oldest job goes. */
  readonly limit?: number;
  /** A finished job that is always there. */
  readonly example?: ExportRequest & { readonly id: string; readonly createdAt: number };
}

export interface SandboxJobs {
  /** The same key of the same caller gives the same job while it lives, with another body `idempotency_conflict`. */
  start(
    principal: string,
    request: ExportRequest,
    idempotency: IdempotentRequest | null,
  ): Promise<{ job: Job; replayed: boolean }>;
  /**
   * The job as it is; with `step`, the next look finds it one state further: queued, running, completed. Whoever knows the
   * id may look. Throws `not_found` for a job that is unknown or older than an hour.
   */
  get(id: string, options: { step: boolean }): Promise<Job>;
  /** The file of a completed job by the SHA-256 (hex) of its bytes. Throws `not_found`. */
  artefact(sha256: string): Promise<Artefact>;
}

const lifetime = 3_600_000;
const states: readonly JobStatus[] = ['queued', 'running', 'completed'];

interface Entry {
  readonly job: Job;
  readonly bodyHash: string | null;
  looks: number;
}

export function createSandboxJobs(options: SandboxJobsOptions): SandboxJobs {
  const { clock, key, exporter, limit = 1000, example } = options;
  /** In the order in which they were started. */
  const entries = new Map<string, Entry>();
  /** By resource and format: the fixtures are few and do not change. */
  const artefacts = new Map<string, { artefact: Artefact; revision: string }>();

  function find(id: string): Entry | undefined {
    if (id === example?.id) return finished(example);
    const entry = entries.get(id);
    return entry !== undefined && entry.job.createdAt + lifetime > clock.now() ? entry : undefined;
  }

  async function exported({ resource, format }: ExportRequest): Promise<{ artefact: Artefact; revision: string }> {
    const name = `${resource}.${format}`;
    const known = artefacts.get(name);
    if (known !== undefined) return known;
    const { bytes, mediaType, revision } = await exporter(resource, format);
    const made = { artefact: { hash: sha256Bytes(bytes), mediaType, bytes }, revision };
    artefacts.set(name, made);
    return made;
  }

  async function asItIs({ job, looks }: Entry): Promise<Job> {
    const status = states[looks] ?? 'completed';
    const attempts = status === 'queued' ? 0 : 1;
    if (status !== 'completed') return { ...job, status, attempts };
    const { artefact, revision } = await exported(job);
    const { hash, mediaType, bytes } = artefact;
    const finishedAt = job.createdAt;
    return { ...job, status, attempts, revision, finishedAt, artefact: { hash, mediaType, size: bytes.length } };
  }

  return {
    async start(principal, { resource, format }, idempotency) {
      const id = idempotency === null ? randomId() : derivedId(key, principal, idempotency.key);
      const bodyHash = idempotency === null ? null : sha256Hex(canonicalJson(idempotency.body));
      const earlier = find(id);
      if (earlier !== undefined && earlier.bodyHash !== bodyHash) {
        throw new ApiError(
          'idempotency_conflict',
          'This Idempotency-Key started a sandbox export with another body. Use a new key for a new export.',
        );
      }
      if (earlier !== undefined) return { job: await asItIs(earlier), replayed: true };
      for (const oldest of entries.keys()) {
        if (entries.size < limit) break;
        entries.delete(oldest);
      }
      const entry: Entry = { job: newJob(id, principal, { resource, format }, clock.now()), bodyHash, looks: 0 };
      entries.delete(id);
      entries.set(id, entry);
      return { job: entry.job, replayed: false };
    },

    async get(id, { step }) {
      const entry = find(id);
      if (entry === undefined) {
        const detail = 'There is no such sandbox job. They live an hour; start one with POST /api/v1/sandbox/exports.';
        throw new ApiError('not_found', detail);
      }
      const job = asItIs(entry);
      if (step) entry.looks += 1;
      return job;
    },

    async artefact(sha256) {
      if (example !== undefined) await exported(example);
      for (const { artefact } of artefacts.values()) {
        if (Buffer.from(artefact.hash).toString('hex') === sha256) return artefact;
      }
      throw new ApiError('not_found', 'There is no such sandbox export. Start one and poll it until it is completed.');
    },
  };
}

const newJob = (id: string, principal: string, request: ExportRequest, now: number): Job => ({
  id,
  clientId: principal,
  ...request,
  status: 'queued',
  attempts: 0,
  leaseUntil: null,
  revision: null,
  artefact: null,
  failure: null,
  createdAt: now,
  finishedAt: null,
});

const finished = ({ id, createdAt, ...request }: NonNullable<SandboxJobsOptions['example']>): Entry => ({
  job: newJob(id, 'example', request, createdAt),
  bodyHash: null,
  looks: states.length - 1,
});

const randomId = (): string => `job_${toBase32(randomBytes(20))}`;

const derivedId = (key: Uint8Array, principal: string, idempotencyKey: string): string => {
  const digest = createHmac('sha256', key)
    .update(JSON.stringify(['sandbox job', principal, idempotencyKey]))
    .digest();
  return `job_${toBase32(digest.subarray(0, 20))}`;
};
