/** Runs tasks in two child processes, each task within a budget of processor time, so that the event loop stays free for requests. */
import { extname } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../base/clock.ts';
import { type Reply, type Task, WorkerError } from './task.ts';
import { startProcess, type WorkerProcess } from './worker-process.ts';

/** The workers of a server or command. */
export interface Workers {
  /**
   * Runs a task after those that wait for the same worker, and returns its output.
   *
   * @throws WorkerError if the task uses up its budget or its worker ends, or what the task throws.
   */
  run<Input, Output>(task: Task<Input, Output>, input: Input, parts?: TaskParts): Promise<Output>;
  /** Ends both workers. A task under way rejects with WorkerError; one that waits or comes later starts its worker again. */
  stop(): void;
}

/** The parts of an input or output that is too large for one message. */
export interface TaskParts {
  /** Parts of the input, each sent in its own turn of the event loop. */
  readonly pieces?: Iterable<unknown>;
  /** Receives each part of the output in its own turn of the event loop. */
  onPiece?(piece: unknown): void;
}

/** How the workers are started. */
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
/** How long a worker without tasks keeps its memory, in milliseconds. */
const idleMs = 10_000;
const maxHeapMegabytes = { content: 2048, render: 512 } as const;

/** Creates the two workers, `content` and `render`. Each starts when a task needs it, and ends after 10 seconds without one. */
export function createWorkers(options: WorkersOptions): Workers {
  const queues = { content: createQueue('content', options), render: createQueue('render', options) };
  return {
    run: (task, input, parts = {}) => queues[task.worker].run(task, input, parts),
    stop() {
      queues.content.stop();
      queues.render.stop();
    },
  };
}

interface Queue {
  run<Input, Output>(task: Task<Input, Output>, input: Input, parts: TaskParts): Promise<Output>;
  stop(): void;
}

function createQueue(kind: keyof typeof maxHeapMegabytes, { file = workerMain, clock }: WorkersOptions): Queue {
  let worker: WorkerProcess | null = null;
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  let cancelIdle = (): void => {};

  const stop = (): void => {
    cancelIdle();
    worker?.stop();
    worker = null;
  };
  const start = (): WorkerProcess => {
    const newWorker = startProcess({
      file,
      maxHeapMegabytes: maxHeapMegabytes[kind],
      onExit() {
        if (worker === newWorker) worker = null;
      },
    });
    return newWorker;
  };

  return {
    async run<Input, Output>(task: Task<Input, Output>, input: Input, parts: TaskParts): Promise<Output> {
      waiting += 1;
      cancelIdle();
      const previous = last;
      const result = (async () => {
        await previous.catch(() => {});
        worker ??= start();
        try {
          return await runTask(worker, clock, { task, input, parts });
        } catch (error) {
          // A worker that failed is dropped now, so that the next task starts a new one.
          if (error instanceof WorkerError) stop();
          throw error;
        }
      })();
      last = result;
      try {
        return (await result) as Output;
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

async function runTask(worker: WorkerProcess, clock: Clock, { task, input, parts }: Run): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  const budget = createBudget(worker, clock, task, reject);
  const receive = async (reply: Reply): Promise<void> => {
    if ('output' in reply) return resolve(reply.output);
    if ('error' in reply) return reject(reply.error);
    budget.renew('progress' in reply ? reply.progress : null);
    if (!('piece' in reply)) return;
    parts.onPiece?.(reply.piece);
    await setImmediate();
    worker.post({ next: true });
  };
  const onEnd = (): void =>
    reject(new WorkerError(`The worker ended before its task ${task.name} was done.`, budget.label()));
  const stopListening = worker.listen((reply) => void receive(reply).catch(reject), onEnd);
  // This process must not end while it waits for the task.
  worker.keepAlive(true);
  try {
    for (const piece of parts.pieces ?? []) {
      worker.post({ piece });
      await setImmediate();
    }
    worker.post({ task: task.name, input });
    return await promise;
  } finally {
    budget.cancel();
    stopListening();
    worker.keepAlive(false);
  }
}

/**
 * Calls `reject` with a WorkerError, and leaves it to the caller to end the worker, once the task has used up its processor time
 * since the last `renew`, or 20 times as much time has passed, until `cancel` is called. `renew` takes the label of the task's
 * progress or null for no new one, and `label` returns the last one, or null.
 */
function createBudget(
  worker: WorkerProcess,
  clock: Clock,
  { name, budgetMs }: Task<never, unknown>,
  reject: (error: WorkerError) => void,
) {
  let label: string | null = null;
  let usedBefore: number | null = null;
  let startedAt = clock.monotonic();
  let cancel = (): void => {};
  const check = (): void => {
    const usedMs = worker.measureCpu();
    usedBefore ??= usedMs;
    const isLate = clock.monotonic() - startedAt > maxWaitFactor * budgetMs;
    if (isLate || (usedMs ?? 0) - (usedBefore ?? 0) > budgetMs)
      reject(new WorkerError(`The task ${name} takes too long.`, label));
    else checkLater();
  };
  const checkLater = (): void => {
    cancel = clock.after(checkMs, check);
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
