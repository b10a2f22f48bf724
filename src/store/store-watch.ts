/** Reports whether the store can be used, within the time that a probe waits. */
import type { Clock } from '../base/clock.ts';
import { getCause, getMessage } from '../base/thrown.ts';
import type { Store, StoreStats } from './store.ts';

/** State of the store for the operator. */
export interface StoreHealth {
  /** State of the store, or null if it cannot be used. */
  readonly stats: StoreStats | null;
  /** Why the store cannot be used, for the operator only, or null if it can, even if `stats` says that it cannot be written. */
  readonly problem: string | null;
}

/** Lifetime of a result in milliseconds; the gauges of one scrape share it. */
const lifetimeMs = 1000;
/** Timeout in milliseconds; probes of Kubernetes have one of a second. */
const timeoutMs = 500;

/**
 * Creates the function that returns the health of the store, which it queries at most once a second. It never rejects: a store that
 * rejects, or does not respond within half a second, counts as unusable.
 */
export function createStoreWatch(store: Pick<Store, 'stats'>, clock: Clock): () => Promise<StoreHealth> {
  let latest: Promise<StoreHealth> | null = null;
  return () => {
    if (latest === null) {
      latest = readHealth(store, clock);
      clock.after(lifetimeMs, () => {
        latest = null;
      });
    }
    return latest;
  };
}

/** Queries the store, and never rejects. A store that does not respond within `timeoutMs` counts as down. */
function readHealth(store: Pick<Store, 'stats'>, clock: Clock): Promise<StoreHealth> {
  const timeout = Promise.withResolvers<StoreHealth>();
  const cancel = clock.after(timeoutMs, () => timeout.resolve({ stats: null, problem: 'it does not answer' }));
  const health = store.stats().then(
    (stats) => ({ stats, problem: null }),
    (error: unknown) => ({ stats: null, problem: getMessage(getCause(error)) }),
  );
  return Promise.race([health, timeout.promise]).finally(cancel);
}
