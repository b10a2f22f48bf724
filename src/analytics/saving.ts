/** Takes counts to the store, a minute's at a time; what cannot be stored waits for the next. */
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { CountedSearch, SearchTable } from '../store/search-table.ts';

export interface Saving {
  add(counted: CountedSearch): void;
  /** Stores everything that was added. Throws `upstream_unavailable`, and keeps it then. */
  flush(): Promise<void>;
  /** Stores what it can, and starts nothing more. */
  close(): Promise<void>;
}

const flushMs = 60_000;
/** How many are stored in one step, which may hold the event loop. */
const atOnce = 200;

/** Keeps at most `most` queries of a day. */
export function createSaving({
  table,
  clock,
  log,
  most,
}: {
  table: SearchTable;
  clock: Clock;
  log: Log;
  most: number;
}): Saving {
  let unsaved = new Map<string, CountedSearch>();
  let cancel: (() => void) | null = null;
  let flushing: Promise<void> = Promise.resolve();
  let isWarned = false;

  const add = (added: CountedSearch): void => {
    const name = `${added.day} ${added.query}`;
    const known = unsaved.get(name);
    if (known === undefined && unsaved.size >= most) return;
    const searches = (known?.searches ?? 0) + added.searches;
    unsaved.set(name, { ...added, searches, withoutResults: (known?.withoutResults ?? 0) + added.withoutResults });
    cancel ??= clock.after(flushMs, () => void flush().catch(() => {}));
  };

  const flush = (): Promise<void> => {
    cancel?.();
    cancel = null;
    // One after the other: what one could not store is there for the next.
    flushing = flushing.catch(() => {}).then(store);
    return flushing;
  };

  const store = async (): Promise<void> => {
    let left = [...unsaved.values()];
    unsaved = new Map();
    try {
      for (; left.length > 0; left = left.slice(atOnce)) await table.addSearches(left.slice(0, atOnce));
      isWarned = false;
    } catch (error) {
      for (const one of left) add(one);
      if (!isWarned)
        log.warn({ event: 'searches.not_stored', err: error }, 'searches are counted and cannot be stored');
      isWarned = true;
      throw error;
    }
  };

  return {
    add,
    flush,
    async close() {
      await flush().catch(() => {});
      cancel?.();
    },
  };
}
