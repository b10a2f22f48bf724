/** Whether the store can be used, as far as is known: asked now and then, and never waited for long. */
import type { Clock } from '../base/clock.ts';
import { causeOf, messageOf } from '../base/thrown.ts';
import type { Store, StoreStats } from './store.ts';

export interface StoreHealth {
  /** null: it cannot be used. */
  readonly stats: StoreStats | null;
  /** Why it cannot be used; only for the operator. */
  readonly problem: string | null;
}

export interface StoreWatch {
  /** Never rejects. Asks the store at most once a second; one that does not answer at once counts as down. */
  health(): Promise<StoreHealth>;
}

/** Milliseconds. */
const lifetime = 1000;
/** Probes give up after a second. */
const patience = 500;

export function createStoreWatch({ store, clock }: { store: Pick<Store, 'stats'>; clock: Clock }): StoreWatch {
  let known: { health: StoreHealth; at: number } | null = null;
  let underWay: Promise<StoreHealth> | null = null;

  async function ask(): Promise<StoreHealth> {
    let health: StoreHealth;
    try {
      health = { stats: await store.stats(), problem: null };
    } catch (error) {
      health = { stats: null, problem: messageOf(causeOf(error)) };
    }
    known = { health, at: clock.monotonic() };
    return health;
  }

  return {
    async health() {
      if (known !== null && clock.monotonic() - known.at < lifetime) return known.health;
      underWay ??= ask().finally(() => {
        underWay = null;
      });
      let cancel = (): void => {};
      const silence = new Promise<StoreHealth>((resolve) => {
        cancel = clock.after(patience, () => resolve({ stats: null, problem: 'it does not answer' }));
      });
      const health = await Promise.race([underWay, silence]);
      cancel();
      return health;
    },
  };
}
