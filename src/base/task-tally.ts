/** Kinds of background tasks, and the interface through which their code is counted for /metrics. */
/**
 * `feed_check`: fetching and reading the feed. `notes`: converting the notes of a release. `content`: reading the content folder.
 * `index`: building the search index. `pages`: rendering a text of a page. `drawings`: drawing a picture. `export`: making the file of a job.
 */
export const taskKinds = ['feed_check', 'notes', 'content', 'index', 'pages', 'drawings', 'export'] as const;

/** Receives the events of one kind of task. */
export interface TaskMeter {
  /** Counts a process that was started. */
  started(): void;
  /** Counts a task that waits from now on. */
  enter(): RunningTask;
}

export interface RunningTask {
  /** Counts the task as running. */
  begin(): void;
  end(succeeded: boolean): void;
}

/** Counts nothing. */
export const uncounted: TaskMeter = { started() {}, enter: () => ({ begin() {}, end() {} }) };

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
