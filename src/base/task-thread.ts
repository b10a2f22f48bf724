/** A thread for work that could hold up the event loop, within a budget of processor time. */
import { Worker } from 'node:worker_threads';
import type { Clock } from './clock.ts';
import { compileCache } from './task-process.ts';
import { type TaskMeter, uncounted } from './task-tally.ts';

export interface TaskThread<Message> {
  /** Messages are copied: a large one goes in parts, in several turns of the event loop. */
  post(message: object): void;
  /**
   * The next message of the thread, for which it may use `budgetMs` of processor time. Rejects with a ThreadFailure when it
   * uses more or ends, and with what it throws.
   */
  next(budgetMs: number): Promise<Message>;
  stop(): void;
}

/** The thread ended without its message: its budget or its memory was used up. */
export class ThreadFailure extends Error {
  override readonly name = 'ThreadFailure';
}

const lookMs = 200;
const heapMegabytes = 2048;

/** Starts the module `file`, which gets messages at its `parentPort` and posts one for each `next`. */
export function startTaskThread<Message>(
  file: string,
  clock: Clock,
  meter: TaskMeter = uncounted,
): TaskThread<Message> {
  meter.started();
  const worker = new Worker(file, {
    execArgv: [],
    env: compileCache(),
    resourceLimits: { maxOldGenerationSizeMb: heapMegabytes },
  });
  worker.unref();
  let waiting: PromiseWithResolvers<Message> | null = null;
  let failure: unknown = null;
  const fail = (thrown: unknown): void => {
    failure ??= thrown;
    waiting?.reject(failure);
  };
  worker.on('message', (message: Message) => waiting?.resolve(message));
  worker.on('error', fail);
  worker.on('exit', () => fail(new ThreadFailure('The thread ended before its work was done.')));
  const usedMs = async (): Promise<number> => {
    const { user, system } = await worker.cpuUsage();
    return (user + system) / 1000;
  };

  const stop = (): void => {
    worker.removeAllListeners();
    // What ends while it starts or ends reports errors that nobody waits for.
    worker.on('error', () => {});
    void worker.terminate();
  };
  return {
    post: (message) => worker.postMessage(message),
    async next(budgetMs) {
      if (failure !== null) throw failure;
      const task = Promise.withResolvers<Message>();
      waiting = task;
      let before: number | null = null;
      let cancelLook = (): void => {};
      const look = async (): Promise<void> => {
        // A thread that has not started, or has ended, has no processor time to tell.
        const used = await usedMs().catch(() => 0);
        before ??= used;
        if (used - before > budgetMs) fail(new ThreadFailure('The thread used up its processor time.'));
        else if (waiting === task) lookLater();
      };
      const lookLater = (): void => {
        cancelLook = clock.after(lookMs, () => void look());
      };
      lookLater();
      // While somebody waits for it, it keeps the process alive.
      worker.ref();
      try {
        return await task.promise;
      } finally {
        waiting = null;
        cancelLook();
        worker.unref();
      }
    },
    stop,
  };
}
