/** Runs tasks in two worker threads, each within a budget of processor time, so that the event loop stays free for requests. */
import { getCompileCacheDir } from 'node:module';
import { dirname, extname } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { Clock } from '../base/clock.ts';
import { type TaskMeter, uncounted } from '../base/task-tally.ts';
import { type Reply, type Request, type Task, WorkerError } from './task.ts';

/** The worker threads of a server or command. */
export interface Workers {
  /**
   * Runs a task after those that wait for the same thread.
   *
   * @throws WorkerError if the task uses up its budget or its thread ends, or what the task throws.
   */
  run<Input, Output>(task: Task<Input, Output>, input: Input, parts?: TaskParts): Promise<Output>;
  /** Ends both threads. A task under way rejects. */
  stop(): void;
}

/** What a task needs besides its input. */
export interface TaskParts {
  /** Parts of the input, each sent in its own turn of the event loop. */
  readonly pieces?: Iterable<unknown>;
  /** Receives each part of the output in its own turn of the event loop. */
  onPiece?(piece: unknown): void;
  /** Counts the task. */
  readonly meter?: TaskMeter;
}

/** How the threads are started. */
export interface WorkersOptions {
  /** The module that runs the tasks. @defaultValue `src/worker-main.ts` */
  readonly file?: URL;
  readonly clock: Clock;
}

/** The module with the table of all tasks, `.ts` in the repository and `.js` in the package. */
const workerMain = new URL(`../worker-main${extname(import.meta.filename)}`, import.meta.url);
/** How often the processor time of a running task is checked, in milliseconds. */
const checkMs = 100;
/** A task that has not ended after this many times its budget waits for a processor that it does not get. */
const maxWaitFactor = 20;
/** How long a thread without tasks keeps its memory, in milliseconds. */
const idleMs = 10_000;
const maxHeapMegabytes = { content: 2048, render: 512 } as const;

/** Starts no thread before its first task. */
export function createWorkers(options: WorkersOptions): Workers {
  const threads = { content: createThread('content', options), render: createThread('render', options) };
  return {
    run: (task, input, parts = {}) => threads[task.thread].run(task, input, parts),
    stop() {
      threads.content.stop();
      threads.render.stop();
    },
  };
}

interface Thread {
  run<Input, Output>(task: Task<Input, Output>, input: Input, parts: TaskParts): Promise<Output>;
  stop(): void;
}

function createThread(kind: Task<unknown, unknown>['thread'], options: WorkersOptions): Thread {
  const { file = workerMain, clock } = options;
  let worker: Worker | null = null;
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  let cancelIdle = (): void => {};

  const stop = (): void => {
    cancelIdle();
    const ending = worker;
    worker = null;
    void ending?.terminate();
  };
  const start = (): Worker => {
    const started = new Worker(file, {
      env: compileCacheSettings(),
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: maxHeapMegabytes[kind] },
    });
    // An error between two tasks has no task to reject; the next task starts another thread.
    started.on('error', () => {});
    started.once('exit', () => {
      if (worker === started) worker = null;
    });
    started.unref();
    return started;
  };

  return {
    async run<Input, Output>(task: Task<Input, Output>, input: Input, parts: TaskParts): Promise<Output> {
      const { meter = uncounted } = parts;
      const entry = meter.enter();
      waiting += 1;
      cancelIdle();
      const previous = last;
      const result = (async () => {
        await previous.catch(() => {});
        entry.begin();
        if (worker === null) meter.started();
        worker ??= start();
        try {
          return await runTask(worker, clock, { task, input, parts });
        } catch (error) {
          // The next task must not find the thread that is ending.
          if (error instanceof WorkerError) stop();
          throw error;
        }
      })();
      last = result;
      try {
        const output = await result;
        entry.end(true);
        return output as Output;
      } catch (error) {
        entry.end(false);
        throw error;
      } finally {
        waiting -= 1;
        if (waiting === 0) cancelIdle = clock.after(idleMs, stop);
      }
    },
    stop,
  };
}

interface Run {
  readonly task: Task<never, unknown>;
  readonly input: unknown;
  readonly parts: TaskParts;
}

async function runTask(worker: Worker, clock: Clock, { task, input, parts }: Run): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  const budget = createBudget(worker, clock, task, reject);
  const post = (request: Request): void => worker.postMessage(request);
  const receive = async (reply: Reply): Promise<void> => {
    if ('output' in reply) return resolve(reply.output);
    if ('error' in reply) return reject(reply.error);
    budget.renew('progress' in reply ? reply.progress : null);
    if (!('piece' in reply)) return;
    parts.onPiece?.(reply.piece);
    await setImmediate();
    post({ next: true });
  };
  const onMessage = (reply: Reply): void => void receive(reply).catch(reject);
  const onEnd = (cause?: unknown): void => {
    const reason = cause instanceof Error ? `: ${cause.message}` : '.';
    reject(new WorkerError(`The thread ended before its task ${task.name} was done${reason}`, budget.label()));
  };
  worker.on('message', onMessage).once('error', onEnd).once('exit', onEnd);
  // A process that waits for the task must not end before it.
  worker.ref();
  try {
    for (const piece of parts.pieces ?? []) {
      post({ piece });
      await setImmediate();
    }
    post({ task: task.name, input });
    return await promise;
  } finally {
    budget.cancel();
    worker.off('message', onMessage).off('error', onEnd).off('exit', onEnd);
    worker.unref();
  }
}

/** Calls `reject` once the task has used up its processor time since the last `renew`. */
function createBudget(
  worker: Worker,
  clock: Clock,
  { name, budgetMs }: Task<never, unknown>,
  reject: (error: WorkerError) => void,
) {
  let label: string | null = null;
  let usedBefore: number | null = null;
  let startedAt = clock.monotonic();
  let cancel = (): void => {};
  const check = async (): Promise<void> => {
    // A thread that is starting or ending has no processor time to report.
    const usage = await worker.cpuUsage().catch(() => null);
    const used = usage === null ? 0 : (usage.user + usage.system) / 1000;
    usedBefore ??= used;
    const isLate = clock.monotonic() - startedAt > maxWaitFactor * budgetMs;
    if (isLate || used - usedBefore > budgetMs) reject(new WorkerError(`The task ${name} takes too long.`, label));
    else checkLater();
  };
  const checkLater = (): void => {
    cancel = clock.after(checkMs, () => void check());
  };
  checkLater();
  return {
    label: () => label,
    renew(next: string | null) {
      label = next ?? label;
      usedBefore = null;
      startedAt = clock.monotonic();
    },
    cancel: () => {
      cancel();
      cancel = () => {};
    },
  };
}

/** A thread gets nothing of the environment but the folder of compiled code, which halves what its start takes. */
function compileCacheSettings(): { NODE_COMPILE_CACHE?: string } {
  const folder = getCompileCacheDir();
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: dirname(folder) };
}
