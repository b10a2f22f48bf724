/** Notices changes in a content folder, however an editor, a deployment or a mounted volume makes them. */
import { type Dirent, type FSWatcher, watch as fsWatch, readdirSync, realpathSync, statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import type { Clock } from '../base/clock.ts';
import { isIgnored } from './folder.ts';

/** The callback for changes of a folder, and what tests replace. */
export interface WatchOptions {
  readonly clock: Clock;
  /** Called once for a burst of changes, after it has paused. */
  readonly onChange: () => void;
  /** Length of the pause that ends a burst, in milliseconds. A burst without one is cut off after five times as long. @defaultValue 150 */
  readonly debounceMs?: number;
  /** Notifications of the system; where they fail, the files are compared once a second. @defaultValue fs.watch */
  readonly watch?: typeof fsWatch;
}

const heartbeatMs = 1000;
const maxFolders = 2000;

/**
 * Watches from the moment it returns, whether or not the folder exists: that it appears, is replaced or is removed is a change too,
 * noticed within about a second. Returns the function that ends it.
 */
export function watchContent(directory: string, options: WatchOptions): () => void {
  const { clock, onChange, debounceMs = 150, watch = fsWatch } = options;
  const watchers = new Map<string, { identity: string; watcher: FSWatcher }>();
  let isStopped = false;
  let polledState: string | null = null;
  let polling = false;
  let burstStart: number | null = null;
  let cancelBurst = () => {};

  const handleChange = () => {
    if (isStopped) return;
    const now = clock.monotonic();
    burstStart ??= now;
    cancelBurst();
    cancelBurst = clock.after(Math.max(0, Math.min(debounceMs, burstStart + 5 * debounceMs - now)), () => {
      burstStart = null;
      watchFolders();
      onChange();
    });
  };

  /**
   * Starts watchers for folders that were added or replaced, because a watcher belongs to a folder and not to its path, and closes
   * those of folders that are gone. If the system refuses one, it closes all of them, and files are compared from then on.
   */
  const watchFolders = () => {
    if (polling) return;
    const folders = listFolders(directory);
    for (const [path, { identity, watcher }] of watchers) {
      if (folders.get(path) === identity) continue;
      watcher.close();
      watchers.delete(path);
    }
    try {
      if (folders.size > maxFolders) throw new Error('too many folders to watch');
      for (const [path, identity] of folders)
        if (!watchers.has(path)) watchers.set(path, { identity, watcher: watchOne(path) });
    } catch (error) {
      // A folder that was removed in the meantime is no failure, because the watcher of its parent reports the removal.
      if (getIdentity(directory) !== null && !isMissing(error)) poll();
    }
  };
  const watchOne = (path: string): FSWatcher => {
    const watcher = watch(path, { persistent: false }, (_event, name) => {
      // Kubernetes replaces the files of a mounted folder by renaming a link to `..data`, so names with `..` are not ignored.
      if (name === null || !isIgnored(name) || name.startsWith('..')) handleChange();
    });
    return watcher.on('error', () => {
      watcher.close();
      watchers.delete(path);
      handleChange();
    });
  };
  const poll = () => {
    polling = true;
    for (const { watcher } of watchers.values()) watcher.close();
    watchers.clear();
  };

  // The watcher of a folder does not notice that the folder itself was deleted, created again or moved.
  const checkHeartbeat = async () => {
    if (polling) {
      const now = await signFiles(directory);
      if (polledState !== null && polledState !== now) handleChange();
      polledState = now;
    } else if ((watchers.get(directory)?.identity ?? null) !== getIdentity(directory)) handleChange();
    if (!isStopped) cancelBeat = clock.after(heartbeatMs, checkHeartbeat);
  };

  watchFolders();
  let cancelBeat = clock.after(heartbeatMs, checkHeartbeat);
  if (polling)
    void signFiles(directory).then((now) => {
      polledState ??= now;
    });
  return () => {
    isStopped = true;
    cancelBurst();
    cancelBeat();
    poll();
  };
}

/**
 * Returns the folders at and below `directory`, except node_modules and names such as `.git` that `isIgnored` recognizes, with
 * their identities, by path, which begins with `directory`: each once, whatever links lead to it, and none outside. The map is
 * empty without such a folder, and has at most one entry more than `maxFolders`.
 */
function listFolders(directory: string): Map<string, string> {
  const folders = new Map<string, string>();
  const seenFolders = new Set<string>();
  const root = attempt(() => realpathSync(directory), '');
  const isInside = (path: string) => attempt(() => realpathSync(path), '').startsWith(root + sep);
  const waiting = [directory];
  for (let path = waiting.pop(); path !== undefined && folders.size <= maxFolders; path = waiting.pop()) {
    const identity = getIdentity(path);
    if (identity === null || seenFolders.has(identity)) continue;
    seenFolders.add(identity);
    folders.set(path, identity);
    for (const entry of listEntries(path)) {
      const child = join(path, entry.name);
      const isFolder = entry.isDirectory() || (entry.isSymbolicLink() && isInside(child));
      if (isFolder && entry.name !== 'node_modules') waiting.push(child);
    }
  }
  return folders;
}

/**
 * Returns a text that changes whenever a file in a folder of `listFolders` is written, added, replaced or removed, unless
 * `isIgnored` recognizes its name; '' without a folder. Never rejects.
 */
async function signFiles(directory: string): Promise<string> {
  const signatures: string[] = [];
  for (const [folder, identity] of listFolders(directory)) {
    signatures.push(`${folder} ${identity}`);
    for (const { name } of listEntries(folder)) {
      const path = join(folder, name);
      const stats = await stat(path).catch(() => null);
      signatures.push(`${path} ${stats?.ino} ${stats?.size} ${stats?.mtimeMs} ${stats?.ctimeMs}`);
    }
  }
  return signatures.sort().join('\n');
}

/**
 * Returns a text that differs from that of a folder created later at the same path, even where the system reuses inode numbers; null
 * if there is no folder.
 */
const getIdentity = (path: string): string | null =>
  attempt(() => {
    const stats = statSync(path);
    return stats.isDirectory() ? `${stats.dev} ${stats.ino} ${stats.birthtimeMs}` : null;
  }, null);

const listEntries = (path: string): Dirent[] =>
  attempt(() => readdirSync(path, { withFileTypes: true }), []).filter(({ name }) => !isIgnored(name));

/** Returns the result of `read`, or `fallback` if it throws: a folder may be removed at any time. */
function attempt<T>(read: () => T, fallback: T): T {
  try {
    return read();
  } catch {
    return fallback;
  }
}

const isMissing = (error: unknown): boolean =>
  error instanceof Error && ['ENOENT', 'ENOTDIR'].includes(String(Reflect.get(error, 'code')));
