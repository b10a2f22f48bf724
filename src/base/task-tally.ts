/** Counts what the server does in the background: which tasks wait and run, how they end, and how long they take. */
import type { Clock } from './clock.ts';
import { addDuration, createDurations, type Durations } from './durations.ts';

/**
 * `feed_check`: fetching and reading the feed. `notes`: converting the notes of a release. `content`: reading the content folder.
 * `index`: building the search index. `pages`: rendering a text of a page. `drawings`: drawing a picture. `export`: making the file of a job.
 */
export const taskKinds = ['feed_check', 'notes', 'content', 'index', 'pages', 'drawings', 'export'] as const;
export type TaskKind = (typeof taskKinds)[number];

export interface TaskCounts {
  waiting: number;
  running: number;
  succeeded: number;
  failed: number;
  /** Processes and threads that were started for such tasks. */
  starts: number;
  /** Without the time that a task waited. */
  readonly durations: Durations;
}

/** What runs one kind of task tells this. */
export interface TaskMeter {
  /** A process or a thread was started. */
  started(): void;
  /** A task waits from now on. */
  enter(): RunningTask;
}

export interface RunningTask {
  /** It waits no longer. */
  begin(): void;
  end(succeeded: boolean): void;
}

export interface TaskTally {
  readonly counts: ReadonlyMap<TaskKind, TaskCounts>;
  meter(kind: TaskKind): TaskMeter;
}

/** For whoever reads no counts. */
export const uncounted: TaskMeter = { started() {}, enter: () => ({ begin() {}, end() {} }) };

const bounds = [0.001, 0.005, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120];

export function createTaskTally(clock: Clock): TaskTally {
  const counts = new Map(
    taskKinds.map((kind): [TaskKind, TaskCounts] => [
      kind,
      { waiting: 0, running: 0, succeeded: 0, failed: 0, starts: 0, durations: createDurations(bounds) },
    ]),
  );
  return {
    counts,
    meter(kind) {
      const counted = counts.get(kind);
      return counted === undefined ? uncounted : meterOf(counted, clock);
    },
  };
}

const meterOf = (counted: TaskCounts, clock: Clock): TaskMeter => ({
  started() {
    counted.starts += 1;
  },
  enter() {
    let begunAt: number | null = null;
    counted.waiting += 1;
    return {
      begin() {
        begunAt = clock.monotonic();
        counted.waiting -= 1;
        counted.running += 1;
      },
      end(succeeded) {
        if (begunAt === null) counted.waiting -= 1;
        else {
          counted.running -= 1;
          addDuration(counted.durations, (clock.monotonic() - begunAt) / 1000);
        }
        counted[succeeded ? 'succeeded' : 'failed'] += 1;
      },
    };
  },
});

/** Counts `work`, which begins at once and fails when it throws or `isGood` says so. */
export async function counting<T>(
  meter: TaskMeter,
  work: () => Promise<T>,
  isGood: (result: T) => boolean = () => true,
): Promise<T> {
  const task = meter.enter();
  task.begin();
  let succeeded = false;
  try {
    const result = await work();
    succeeded = isGood(result);
    return result;
  } finally {
    task.end(succeeded);
  }
}
