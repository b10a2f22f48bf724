/** Serves the last valid revision of a content folder, watches the folder, and notifies listeners of changes. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../base/clock.ts';
import { sha256Hex } from '../base/hash.ts';
import type { Log } from '../base/log.ts';
import { counting, type TaskMeter, uncounted } from '../base/task-tally.ts';
import type { Workers } from '../worker/pool.ts';
import { resolveFeedPath } from './checks.ts';
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
    super(`The content folder has ${countFaults(faults)}:\n${faults.map(formatFault).join('\n')}`);
    this.name = 'ContentError';
    this.faults = faults;
    this.directory = directory;
  }
}

/** Result of the loads of a folder. */
export interface ContentStatus {
  /** Number of faults in the last load; 0 if the folder is valid. */
  readonly errors: number;
}

/** A content folder that is served. */
export interface ContentSource {
  status(): ContentStatus;
  /** Returns the last valid revision. Throws before `start` has succeeded. */
  current(): Content;
  /** Loads the folder and watches it from then on. Throws a ContentError if this first load finds faults. */
  start(): Promise<Content>;
  /** Adds a listener that is called with each new revision. */
  onChange(listener: (content: Content) => void): void;
  /** Adds a listener that is called after each later load with the faults of the folder, none if it is valid. */
  onFaults(listener: (faults: readonly Fault[]) => void): void;
  /** Adds a listener that is called when the bytes of a feed that is a file of the folder have changed. */
  onFeedFileChange(listener: () => void): void;
  /** Loads the folder now, or once more after a load that is under way, and returns its faults. */
  reload(): Promise<Fault[]>;
  /** Ends watching. A load that is under way has no effect any more. */
  stop(): void;
}

export interface ContentSourceOptions {
  readonly directory: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly meter?: TaskMeter;
  /** Reads the folder on a reload. */
  readonly workers: Pick<Workers, 'run'>;
}

/** Creates the source. A change is served within a second, all of it or none: an invalid folder leaves the last valid revision in place. */
export function createContentSource(options: ContentSourceOptions): ContentSource {
  const { directory, clock, log, workers, meter = uncounted } = options;
  const listeners: ((content: Content) => void)[] = [];
  const feedListeners: (() => void)[] = [];
  const faultListeners: ((faults: readonly Fault[]) => void)[] = [];
  let content: Content | null = null;
  let feed: { path: string; digest: string } | null = null;
  let running: Promise<Fault[]> | null = null;
  let queued: Promise<Fault[]> | null = null;
  let logged: ReadonlySet<string> = new Set();
  let status: ContentStatus = { errors: 0 };
  let stopped = false;
  let stopWatching = () => {};

  const load = async (): Promise<Fault[]> => {
    const loaded = await counting(
      meter,
      // Before the first revision nobody waits for anything else, and a worker would only take longer.
      async () => (content === null ? loadContent(directory) : loadContentInWorker(directory, workers)),
      (found) => 'content' in found,
    );
    if (stopped) return [];
    if ('faults' in loaded) {
      status = { errors: loaded.faults.length };
      if (content !== null) report(loaded.faults, content);
      publish(faultListeners, loaded.faults);
      await checkFeedFile();
      return loaded.faults;
    }
    status = { errors: 0 };
    if (logged.size > 0) log.info({ revision: loaded.content.revision }, 'the content folder is valid again');
    logged = new Set();
    const previous = content;
    if (previous?.revision !== loaded.content.revision) content = loaded.content;
    await checkFeedFile();
    publish(faultListeners, []);
    if (!stopped && content !== null && previous !== null && content !== previous) publish(listeners, content);
    return [];
  };

  /** Logs each fault once, however often the folder is loaded before it is fixed. */
  const report = (faults: readonly Fault[], served: Content) => {
    const texts = faults.map(formatFault);
    faults.forEach(({ file, line, column }, index) => {
      const text = texts[index] ?? '';
      if (!logged.has(text)) log.error({ file, line, column }, text);
    });
    if (texts.length !== logged.size || texts.some((text) => !logged.has(text))) {
      log.warn(
        { faults: texts.length, revision: served.revision },
        'the content folder is invalid; the last valid revision is still served',
      );
    }
    logged = new Set(texts);
  };

  const checkFeedFile = async () => {
    const path = resolveFeedPath(content?.product.feed.source);
    if (path === null) {
      feed = null;
      return;
    }
    const bytes = await readFile(join(directory, path)).catch(() => null);
    // An editor may be about to put another file in its place.
    if (bytes === null || stopped) return;
    const before = feed;
    feed = { path, digest: sha256Hex(bytes) };
    if (before?.path === path && before.digest !== feed.digest) publish(feedListeners, undefined);
  };

  const publish = <T>(receivers: readonly ((value: T) => void)[], value: T) => {
    for (const listener of receivers) {
      try {
        listener(value);
      } catch (error) {
        log.error({ err: error }, 'a listener to the content folder failed');
      }
    }
  };

  const reload = (): Promise<Fault[]> => {
    if (running !== null) {
      queued ??= running.then(nextLoad, nextLoad);
      return queued;
    }
    running = load().finally(() => {
      running = null;
    });
    return running;
  };
  const nextLoad = () => {
    queued = null;
    return reload();
  };

  return {
    status: () => status,
    current() {
      if (content === null) throw new Error('the content folder has not been loaded yet: call start() first');
      return content;
    },
    async start() {
      // Watching comes first, so that a change during the first load leads to another.
      stopWatching = watchContent(directory, {
        clock,
        onChange: () => {
          reload().catch((error: unknown) => log.error({ err: error }, 'the content folder could not be loaded'));
        },
      });
      const faults = await reload();
      if (content !== null) return content;
      stopWatching();
      throw new ContentError(faults, directory);
    },
    onChange: (listener) => void listeners.push(listener),
    onFaults: (listener) => void faultListeners.push(listener),
    onFeedFileChange: (listener) => void feedListeners.push(listener),
    reload,
    stop() {
      stopped = true;
      stopWatching();
    },
  };
}

const countFaults = (faults: readonly Fault[]): string => (faults.length === 1 ? 'a fault' : `${faults.length} faults`);
