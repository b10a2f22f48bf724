/** Runs the queue: one job at a time, each under a lease, so that whatever a dead process left is taken up again. */
import { setImmediate } from 'node:timers/promises';
import { ApiError } from '../base/api-error.ts';
import type { Clock } from '../base/clock.ts';
import { sha256InPieces } from '../base/hash.ts';
import type { Log } from '../base/log.ts';
import { counting, type TaskMeter, uncounted } from '../base/task-tally.ts';
import type { Job, JobFailure, JobStore } from '../store/job-store.ts';
import type { Exporter, ExportFile } from './exporter.ts';

export interface Runner {
  run(): void;
  /** There is work. */
  wake(): void;
  /** Settles when this process next ends the job; `cancel` stops listening. */
  nextEnd(id: string): { ended: Promise<void>; cancel(): void };
  close(): Promise<void>;
}

interface RunnerOptions {
  readonly store: JobStore;
  readonly clock: Clock;
  readonly exporter: Exporter;
  readonly log: Log;
  readonly meter?: TaskMeter;
}

export function createRunner(options: RunnerOptions): Runner {
  const { store, clock, log } = options;
  const listeners = new Map<string, Set<() => void>>();
  let running = false;
  let woken = false;
  let draining: Promise<void> | null = null;
  let cancelPoll = (): void => {};

  function wake(): void {
    woken = true;
    if (!running || draining !== null) return;
    cancelPoll();
    draining = drain().finally(() => {
      draining = null;
      if (woken) wake();
      else if (running) cancelPoll = clock.after(poll, wake);
    });
  }

  /** Until nothing is left. Never rejects: a store that is down is asked again at the next poll. */
  async function drain(): Promise<void> {
    woken = false;
    try {
      for (const id of await store.failExhaustedJobs(clock.now(), maxAttempts, exhausted)) {
        log.error({ event: 'job.failed', job_id: id, code: exhausted.code }, 'A job ran out of attempts.');
        announce(id);
      }
      while (running) {
        const job = await store.claimJob(clock.now(), lease, maxAttempts);
        if (job === undefined) return;
        await runJob(options, job);
        announce(job.id);
        // Requests come first: a long queue must not keep them waiting.
        await setImmediate();
      }
    } catch (error) {
      log.error(
        { event: 'job.store_failed', err: error },
        'The job queue cannot be read or written; trying again soon.',
      );
    }
  }

  function announce(id: string): void {
    for (const listener of listeners.get(id) ?? []) listener();
  }

  return {
    wake,
    run() {
      running = true;
      wake();
    },
    nextEnd(id) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const waiting = listeners.get(id) ?? new Set();
      listeners.set(id, waiting.add(resolve));
      return {
        ended: promise,
        cancel() {
          waiting.delete(resolve);
          if (waiting.size === 0 && listeners.get(id) === waiting) listeners.delete(id);
        },
      };
    },
    async close() {
      running = false;
      woken = false;
      cancelPoll();
      await draining;
    },
  };
}

/** Milliseconds: far longer than an export takes. */
const lease = 30_000;
const maxAttempts = 3;
/** How often leases that ran out are looked for. */
const poll = 5000;
/** Before a failed attempt is repeated. */
const pause = 2000;

const exhausted: JobFailure = {
  code: 'internal_error',
  detail:
    'The export was tried three times and did not finish. Start it again; if it keeps failing, report the job id.',
};

/** Throws only when the store does: the lease then runs out, and the job is taken up again. */
async function runJob({ store, clock, exporter, log, meter = uncounted }: RunnerOptions, job: Job): Promise<void> {
  const event = { job_id: job.id, client_id: job.clientId, resource: job.resource, format: job.format };
  let file: ExportFile;
  try {
    file = await counting(meter, () => withinLease(clock, exporter(job.resource, job.format)));
  } catch (error) {
    const isLast = job.attempts >= maxAttempts;
    if (error instanceof ApiError || isLast) {
      const failure = error instanceof ApiError ? failureOf(error) : exhausted;
      log.warn({ event: 'job.failed', ...event, code: failure.code, err: error }, 'An export cannot be made.');
      await store.failJob(job.id, job.attempts, failure, clock.now());
    } else {
      log.error({ event: 'job.attempt_failed', ...event, err: error }, 'An export failed; it is tried again.');
      await store.postponeJob(job.id, job.attempts, clock.now() + pause);
    }
    return;
  }
  const artifact = { hash: await sha256InPieces(file.bytes), mediaType: file.mediaType, bytes: file.bytes };
  const completed = await store.completeJob(job.id, job.attempts, artifact, file.revision, clock.now());
  if (completed) log.info({ event: 'job.completed', ...event, bytes: file.bytes.length }, 'Finished an export.');
}

/** An exporter that never answers must not hold up the queue: its job is tried again, and its late file is dropped. */
async function withinLease(clock: Clock, work: Promise<ExportFile>): Promise<ExportFile> {
  const { promise, reject } = Promise.withResolvers<never>();
  const cancel = clock.after(lease, () => reject(new Error('The exporter took longer than its lease.')));
  try {
    return await Promise.race([work, promise]);
  } finally {
    cancel();
  }
}

function failureOf(error: ApiError): JobFailure {
  const { retryAfter } = error.options;
  return { code: error.code, detail: error.message, ...(retryAfter !== undefined && { retryAfter }) };
}
