/** Runs the queue of export jobs: one at a time, each with a lease, so that another process repeats a job whose process died. */
import { EventEmitter } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { ApiError } from '../base/api-error.ts';
import type { Clock } from '../base/clock.ts';
import { sha256Later } from '../base/hash.ts';
import type { Log } from '../base/log.ts';
import { ignoreTask, measureTask, type TaskMeter } from '../base/task-tally.ts';
import { getCause, getMessage } from '../base/thrown.ts';
import type { Job, JobFailure, JobStore } from '../store/jobs.ts';
import type { Exporter, ExportFile } from './exporter.ts';

/** The runner, which claims queued export jobs and makes their files. */
export interface Runner {
  /** Starts to claim and run the queue’s jobs, one at a time. */
  run(): void;
  /** Looks for a job now instead of at the next poll, or after the jobs that are being run. Before `run` it has no effect. */
  wake(): void;
  /**
   * Resolves `ended` when this process next finishes an attempt of the job, and never if another process does; `cancel` stops
   * listening.
   */
  nextEnd(id: string): { ended: Promise<void>; cancel(): void };
  /** Claims no other job, and resolves when the current one has ended. */
  close(): Promise<void>;
}

/** Options of a runner. */
export interface RunnerOptions {
  readonly store: JobStore;
  readonly clock: Clock;
  readonly exporter: Exporter;
  readonly log: Log;
  /** Counts each attempt of an export as a success or a failure; left out, nothing is counted. */
  readonly meter?: TaskMeter;
}

/** Creates the runner of one process, which waits for `run()`. */
export function createRunner(options: RunnerOptions): Runner {
  const { store, clock, log } = options;
  /** Emits the id of each job whose attempt has ended. */
  const ends = new EventEmitter().setMaxListeners(0);
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
      else if (running) cancelPoll = clock.after(pollMs, wake);
    });
  }

  /** Runs jobs until none is left or the runner is closed. Never rejects: after an outage of the store, the next poll tries again. */
  async function drain(): Promise<void> {
    woken = false;
    try {
      while (running) {
        const job = await store.claimJob(clock.now(), lease);
        if (job === undefined) return;
        await runJob(options, job);
        ends.emit(job.id);
        // Requests get a turn of the event loop after each job, so that a long queue does not delay them.
        await setImmediate();
      }
    } catch (error) {
      const problem = getMessage(getCause(error));
      log.error({ event: 'job.store_failed', problem }, 'The job queue cannot be read or written; trying again soon.');
    }
  }

  return {
    wake,
    run() {
      running = true;
      wake();
    },
    nextEnd(id) {
      const { promise, resolve } = Promise.withResolvers<void>();
      ends.once(id, resolve);
      return { ended: promise, cancel: () => ends.off(id, resolve) };
    },
    async close() {
      running = false;
      woken = false;
      cancelPoll();
      await draining;
    },
  };
}

/** Duration of a lease in milliseconds: far longer than an export takes. */
const lease = 30_000;
const maxAttempts = 3;
/** Interval at which expired leases are looked for, in milliseconds. */
const pollMs = 5000;
/** Pause before a failed attempt is repeated, in milliseconds. */
const pauseMs = 2000;

const exhaustedFailure: JobFailure = {
  code: 'internal_error',
  detail:
    'The export was tried three times and did not finish. Start it again; if it keeps failing, report the job id.',
};

/**
 * Runs one attempt of a claimed job and stores its result. The job fails after an ApiError, after the third attempt, or if it had
 * no attempt left; after any other error it is postponed by 2 seconds. Rejects only if the store does: the lease then expires, and
 * the job is attempted again.
 */
async function runJob({ store, clock, exporter, log, meter = ignoreTask }: RunnerOptions, job: Job): Promise<void> {
  const event = { job_id: job.id, client_id: job.clientId, resource: job.resource, format: job.format };
  const fail = (failure: JobFailure) => store.failJob(job.id, job.attempts, failure, clock.now());
  if (job.attempts > maxAttempts) {
    // The last attempt stored no result, because its process died or the store failed.
    log.error({ event: 'job.failed', ...event, code: exhaustedFailure.code }, 'A job ran out of attempts.');
    await fail(exhaustedFailure);
    return;
  }
  let file: ExportFile;
  try {
    file = await measureTask(meter, () => runWithinLease(clock, exporter(job.resource, job.format)));
  } catch (error) {
    if (error instanceof ApiError || job.attempts >= maxAttempts) {
      const failure = error instanceof ApiError ? toFailure(error) : exhaustedFailure;
      log.warn({ event: 'job.failed', ...event, code: failure.code, err: error }, 'An export cannot be made.');
      await fail(failure);
    } else {
      log.error({ event: 'job.attempt_failed', ...event, err: error }, 'An export failed; it is tried again.');
      await store.postponeJob(job.id, job.attempts, clock.now() + pauseMs);
    }
    return;
  }
  const artifact = { hash: await sha256Later(file.bytes), mediaType: file.mediaType, bytes: file.bytes };
  const isCompleted = await store.completeJob(job.id, job.attempts, artifact, file.revision, clock.now());
  if (isCompleted) log.info({ event: 'job.completed', ...event, bytes: file.bytes.length }, 'Finished an export.');
}

/**
 * Returns the result of `work`, or rejects when the lease (30 seconds) expires, so that an exporter that never ends does not block
 * the queue; its late file is dropped.
 */
async function runWithinLease(clock: Clock, work: Promise<ExportFile>): Promise<ExportFile> {
  const { promise, reject } = Promise.withResolvers<never>();
  const cancel = clock.after(lease, () => reject(new Error('The exporter took longer than its lease.')));
  try {
    return await Promise.race([work, promise]);
  } finally {
    cancel();
  }
}

function toFailure(error: ApiError): JobFailure {
  const { retryAfter } = error.options;
  return { code: error.code, detail: error.message, ...(retryAfter !== undefined && { retryAfter }) };
}
