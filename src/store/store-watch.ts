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
  let cached: { health: StoreHealth; time: number } | null = null;
  let query: Promise<StoreHealth> | null = null;

  async function queryHealth(): Promise<StoreHealth> {
    let health: StoreHealth;
    try {
      health = { stats: await store.stats(), problem: null };
    } catch (error) {
      health = { stats: null, problem: messageOf(causeOf(error)) };
    }
    cached = { health, time: clock.monotonic() };
    return health;
  }

  return {
    /** Queries the store at most once a second and never rejects. A store that does not respond within `timeoutMs` counts as down. */
    async health(): Promise<StoreHealth> {
      if (cached !== null && clock.monotonic() - cached.time < lifetimeMs) return cached.health;
      query ??= queryHealth().finally(() => {
        query = null;
      });
      let cancel = (): void => {};
      const timeout = new Promise<StoreHealth>((resolve) => {
        cancel = clock.after(timeoutMs, () => resolve({ stats: null, problem: 'it does not answer' }));
      });
      const health = await Promise.race([query, timeout]);
      cancel();
      return health;
    },
  };
}
