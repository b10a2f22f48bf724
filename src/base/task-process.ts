/** A process for work that could hold up the event loop: one task after the other, each within a budget of processor time. */
import { type ChildProcess, fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { getCompileCacheDir } from 'node:module';
import { setPriority } from 'node:os';
import { dirname, extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Clock } from './clock.ts';
import { type TaskMeter, uncounted } from './task-tally.ts';

export interface TaskProcess<Task> {
  /** What the process sent for the task; null when the process ended, or the task used more than its budget (milliseconds). */
  run(task: Task, budgetMs: number): Promise<Outcome>;
  /** The process ends when its tasks are done; a later task starts another. */
  rest(): void;
  /** Ends the process now. */
  stop(): void;
}

export interface Outcome {
  readonly message: unknown;
  /** Milliseconds of processor time. */
  readonly usedMs: number;
}

export interface TaskProcessOptions {
  /** The module that the process runs: it answers each message with one message. */
  readonly file: string;
  readonly clock: Clock;
  readonly heapMegabytes: number;
  /** Unless 0, it gives way to the server on a busy machine. */
  readonly niceness?: number;
  /** How long a process without tasks stays before it ends. If unset, it stays until `rest` is called. */
  readonly idleMs?: number;
  readonly meter?: TaskMeter;
}

/** How often the processor time is looked at. */
const lookMs = 100;
/** A task that waits for a processor for this many times its budget is given up. */
const mostWaiting = 20;

/** The process is started when it is first needed; it gets nothing of the environment. */
export function createTaskProcess<Task extends object>(options: TaskProcessOptions): TaskProcess<Task> {
  const { clock, idleMs, meter = uncounted } = options;
  let child: ChildProcess | null = null;
  let lastTurn: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  let resting = false;
  let cancelIdle = (): void => {};

  const stop = (): void => {
    cancelIdle();
    child?.kill('SIGKILL');
    child = null;
  };
  const end = (): void => {
    cancelIdle();
    // It ends by itself, and so can keep its compiled code for the next start.
    if (child?.connected) child.disconnect();
    child = null;
  };

  const attempt = (task: Task, budgetMs: number): Promise<Outcome> => {
    if (child === null) meter.started();
    child ??= start(options);
    const running = child;
    const { promise, resolve } = Promise.withResolvers<Outcome>();
    const usedMs = createMeter(running, clock);
    let cancelLook = (): void => {};
    const settle = (message: unknown): void => {
      cancelLook();
      running.off('message', settle).off('exit', fail);
      running.unref();
      running.channel?.unref();
      resolve({ message, usedMs: usedMs() });
    };
    const fail = (): void => {
      if (child === running) stop();
      settle(null);
    };
    const began = clock.monotonic();
    const look = (): void => {
      const isLate = clock.monotonic() - began > mostWaiting * budgetMs;
      if (isLate || usedMs() > budgetMs) fail();
      else cancelLook = clock.after(lookMs, look);
    };
    // While somebody waits for it, it keeps the process alive that started it.
    running.ref();
    running.channel?.ref();
    running.once('message', settle).once('exit', fail);
    cancelLook = clock.after(lookMs, look);
    running.send(task, (error) => {
      if (error !== null) fail();
    });
    return promise;
  };

  return {
    run(task, budgetMs) {
      waiting += 1;
      resting = false;
      cancelIdle();
      const counted = meter.enter();
      const turn = lastTurn
        .then(() => {
          counted.begin();
          return attempt(task, budgetMs);
        })
        .then((outcome) => {
          counted.end(outcome.message !== null);
          return outcome;
        })
        .finally(() => {
          waiting -= 1;
          if (waiting > 0) return;
          if (resting) end();
          else if (idleMs !== undefined) cancelIdle = clock.after(idleMs, end);
        });
      lastTurn = turn;
      return turn;
    },
    rest() {
      resting = true;
      if (waiting === 0) end();
    },
    stop,
  };
}

/** The module next to another one, `.ts` in the repository and `.js` in the package. */
export const moduleBeside = ({ url, filename }: ImportMeta, name: string): string =>
  fileURLToPath(new URL(`./${name}${extname(filename)}`, url));

/** The environment of a process or thread for tasks: only where compiled code is kept, which halves what its start takes. */
export function compileCache(): { NODE_COMPILE_CACHE?: string } {
  const cache = getCompileCacheDir();
  return cache === undefined ? {} : { NODE_COMPILE_CACHE: dirname(cache) };
}

function start({ file, heapMegabytes, niceness = 0 }: TaskProcessOptions): ChildProcess {
  const child = fork(file, {
    // What young objects may fill by default would still be there when the process has nothing to do: it held 20 MB more.
    execArgv: [`--max-old-space-size=${heapMegabytes}`, '--max-semi-space-size=4'],
    env: compileCache(),
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  // An error between two tasks has nobody waiting for it; the next task finds out.
  child.on('error', () => {});
  try {
    if (niceness > 0 && child.pid !== undefined) setPriority(child.pid, niceness);
  } catch {
    // Not every system lets a process give way.
  }
  return child;
}

/** Milliseconds of processor time since now; where the system does not tell, of time. */
function createMeter({ pid }: ChildProcess, clock: Clock): () => number {
  const before = processorMs(pid);
  const began = clock.monotonic();
  let last = 0;
  return () => {
    const now = processorMs(pid);
    // An ended process is not counted any more.
    if (before !== null && now !== null) last = now - before;
    else if (before === null) last = clock.monotonic() - began;
    return last;
  };
}

/** Linux counts in hundredths of a second. */
function processorMs(pid: number | undefined): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name, in brackets, may hold spaces. The user's and the system's time are the twelfth and thirteenth after it.
    const [user = 0, system = 0] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13)
      .map(Number);
    return (user + system) * 10;
  } catch {
    return null;
  }
}
