/** Reports whether the store can be used, from a query that is made at most once a second and has a short time limit. */
import type { Clock } from '../base/clock.ts';
import { causeOf, messageOf } from '../base/thrown.ts';
import type { Store, StoreStats } from './store.ts';

export interface StoreHealth {
  /** State of the store, or null if it cannot be used. */
  readonly stats: StoreStats | null;
  /** Why the store cannot be used, for the operator only, or null. */
  readonly problem: string | null;
}

/** Lifetime of a result in milliseconds. */
const lifetimeMs = 1000;
/** Timeout in milliseconds; probes of Kubernetes have one of a second. */
const timeoutMs = 500;

/** Creates the watch of one store. */
export function createStoreWatch({ store, clock }: { store: Pick<Store, 'stats'>; clock: Clock }) {
  let latest: Promise<StoreHealth> | null = null;
  let validUntil = 0;

  async function queryHealth(): Promise<StoreHealth> {
    validUntil = Number.POSITIVE_INFINITY;
    const health = await store.stats().then(
      (stats) => ({ stats, problem: null }),
      (error: unknown) => ({ stats: null, problem: messageOf(causeOf(error)) }),
    );
    validUntil = clock.monotonic() + lifetimeMs;
    return health;
  }

  return {
    /** Queries the store at most once a second and never rejects. A store that does not respond within `timeoutMs` counts as down. */
    health(): Promise<StoreHealth> {
      if (latest === null || clock.monotonic() >= validUntil) latest = queryHealth();
      const timeout = Promise.withResolvers<StoreHealth>();
      const cancel = clock.after(timeoutMs, () => timeout.resolve({ stats: null, problem: 'it does not answer' }));
      return Promise.race([latest, timeout.promise]).finally(cancel);
    },
  };
}
