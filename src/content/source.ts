/** Serves the last valid revision of a content folder, watches the folder, and notifies listeners of changes. */
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import { ignoreTask, measureTask, type TaskMeter } from '../base/task-tally.ts';
import type { Workers } from '../worker/pool.ts';
import type { Content } from './content.ts';
import { type Fault, formatFault } from './fault.ts';
import { loadContent } from './load.ts';
import { loadContentInWorker } from './read-task.ts';
import { watchContent } from './watch.ts';

/** Thrown when the folder cannot be served; `faults` has everything that is wrong with it. */
export class ContentError extends Error {
  readonly faults: readonly Fault[];
  /** Path of the folder. */
  readonly directory: string;

  constructor(faults: readonly Fault[], directory: string) {
    const count = faults.length === 1 ? 'a fault' : `${faults.length} faults`;
    super(`The content folder has ${count}:\n${faults.map(formatFault).join('\n')}`);
    this.name = 'ContentError';
    this.faults = faults;
    this.directory = directory;
  }
}

/** The folder of a source, and the services that it uses. */
export interface ContentSourceOptions {
  readonly directory: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Measures each load; left out, none is measured. */
  readonly meter?: TaskMeter;
  /** Reads the folder on a reload. */
  readonly workers: Pick<Workers, 'run'>;
  /** Reads the folder at the start. @defaultValue loadContent */
  readonly load?: typeof loadContent | undefined;
  /** Returns content to start with while the folder is invalid, or null. @defaultValue null */
  readonly findFallback?: () => Content | null;
}

/** The result of the last load. */
export interface ContentStatus {
  /** Number of faults; 0 if the folder is valid. */
  readonly errors: number;
}

/**
 * A content folder that is served: `start` loads and watches it, `current` returns its last valid content, and `onChange` and
 * `onLoad` add listeners. `reload` returns its faults, and rejects if the worker throws.
 */
export type ContentSource = ReturnType<typeof createContentSource>;

/**
 * Creates the source of a folder, which `start` loads and then watches until `stop`. `start` rejects with a ContentError if the
 * folder is invalid and has no fallback. A later change is served within a second, all of it or none: an invalid folder leaves the
 * last valid revision in place.
 */
export function createContentSource(options: ContentSourceOptions) {
  const { directory, clock, log, workers, meter = ignoreTask, load: loadFirst = loadContent, findFallback } = options;
  const changes = createListeners<Content>(log);
  const loads = createListeners<readonly Fault[]>(log);
  const faultLog = createFaultLog(log);
  let content: Content | null = null;
  let running: Promise<Fault[]> | null = null;
  let nextLoad: Promise<Fault[]> | null = null;
  let errors = 0;
  let isStopped = false;
  let stopWatching = () => {};

  const load = async (): Promise<Fault[]> => {
    const loadResult = await measureTask(
      meter,
      // Before the first revision, loading delays no requests, and starting a worker would take longer.
      async () => (content === null ? loadFirst(directory) : loadContentInWorker(directory, workers)),
      (result) => 'content' in result,
    );
    if (isStopped) return [];
    const previous = content;
    const faults = 'faults' in loadResult ? loadResult.faults : [];
    if ('content' in loadResult && previous?.revision !== loadResult.content.revision) content = loadResult.content;
    errors = faults.length;
    if (previous !== null && content !== null) faultLog.report(faults, content.revision);
    loads.notify(faults);
    if (content !== null && previous !== null && content !== previous) changes.notify(content);
    return faults;
  };

  const reload = (): Promise<Fault[]> => {
    const reloadNext = () => {
      nextLoad = null;
      return reload();
    };
    if (running !== null) {
      nextLoad ??= running.then(reloadNext, reloadNext);
      return nextLoad;
    }
    running = load().finally(() => {
      running = null;
    });
    return running;
  };

  return {
    status: (): ContentStatus => ({ errors }),
    /** Returns the last valid revision. Throws before `start` has succeeded. */
    current(): Content {
      if (content === null) throw new Error('the content folder has not been loaded yet: call start() first');
      return content;
    },
    /** Loads the folder and watches it from then on. Throws a ContentError if this first load finds faults and there is no fallback. */
    async start(): Promise<Content> {
      // The folder is watched first, so that a change during the first load leads to a second load.
      stopWatching = watchContent(directory, {
        clock,
        onChange: () => {
          reload().catch((error: unknown) => log.error({ err: error }, 'the content folder could not be loaded'));
        },
      });
      const faults = await reload();
      if (content !== null) return content;
      content = findFallback?.() ?? null;
      if (content !== null) {
        faultLog.report(faults, content.revision);
        return content;
      }
      stopWatching();
      throw new ContentError(faults, directory);
    },
    /** Adds a listener that is called with each new revision. */
    onChange: changes.add,
    /** Adds a listener that is called after each load, before those of `onChange`, with the faults of the folder: none if it is valid. */
    onLoad: loads.add,
    /** Loads the folder now, or once more after a load that is under way, and returns its faults. */
    reload,
    /** Ends watching. A load that is under way has no effect any more, and its `reload` resolves with no faults. */
    stop(): void {
      isStopped = true;
      stopWatching();
    },
  };
}

/**
 * Creates a list of listeners to one kind of event: `add` adds one for good, and `notify` calls all in order. One that throws is
 * logged, and the others are called all the same.
 */
function createListeners<T>(log: Log) {
  const listeners: ((event: T) => void)[] = [];
  return {
    add: (listener: (event: T) => void) => void listeners.push(listener),
    notify(event: T): void {
      for (const listener of listeners) {
        try {
          listener(event);
        } catch (error) {
          log.error({ err: error }, 'a listener to the content folder failed');
        }
      }
    },
  };
}

/** Creates a log that has each fault once, however often the folder is loaded before it is fixed. */
function createFaultLog(log: Log) {
  let loggedFaults: ReadonlySet<string> = new Set();
  return {
    /**
     * Logs each fault that the load before did not have, and, if any fault was added or removed, whether the folder is valid or
     * invalid now; `revision` is the one that is served from then on.
     */
    report(faults: readonly Fault[], revision: string): void {
      const texts = new Map(faults.map((fault) => [formatFault(fault), fault]));
      for (const [text, { file, line, column }] of texts)
        if (!loggedFaults.has(text)) log.error({ file, line, column }, text);
      const isChanged = new Set(texts.keys()).symmetricDifference(loggedFaults).size > 0;
      if (isChanged && texts.size === 0) log.info({ revision }, 'the content folder is valid again');
      else if (isChanged) {
        const message = 'the content folder is invalid; the last valid revision is still served';
        log.warn({ faults: texts.size, revision }, message);
      }
      loggedFaults = new Set(texts.keys());
    },
  };
}
