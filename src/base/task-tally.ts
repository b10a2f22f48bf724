/** The kinds of background tasks, and counting them for /metrics. */

/**
 * `feed_check`: fetching and reading the feed. `notes`: converting the notes of a release. `content`: reading the content folder.
 * `index`: building the search index. `pages`: rendering a text of a page. `drawings`: drawing a picture. `export`: making the file
 * of a job.
 */
export const taskKinds = ['feed_check', 'notes', 'content', 'index', 'pages', 'drawings', 'export'] as const;

/** A kind of background task. */
export type TaskKind = (typeof taskKinds)[number];

/** Counts a background task that has ended, as a success or as a failure. */
export type TaskMeter = (hasSucceeded: boolean) => void;

/** Counts nothing, for callers without metrics. */
export const ignoreTask: TaskMeter = () => {};

/**
 * Runs `work`, counts it, and returns its result or throws its error. It has failed if it throws or `isGood` returns false for its
 * result.
 */
export async function measureTask<T>(
  meter: TaskMeter,
  work: () => Promise<T>,
  isGood: (result: T) => boolean = () => true,
): Promise<T> {
  let hasSucceeded = false;
  try {
    const result = await work();
    hasSucceeded = isGood(result);
    return result;
  } finally {
    meter(hasSucceeded);
  }
}
