/** Counters that are known to be used up: until their oldest requests stop counting, no store has to be asked. */
import type { Clock } from '../base/clock.ts';
import { createOldest } from '../base/oldest.ts';
import type { Ask } from '../store/rate-store.ts';
import { type Decision, decisionOf } from './sliding-window.ts';

export interface Refusals {
  /** `key` is used up for `waitMs`. */
  keep(key: string, waitMs: number): void;
  /** The decisions on asks of which one is known to be used up; null when none is. */
  find(asks: readonly Ask[]): Decision[] | null;
}

/** A flood costs the store one question a window; what others count meanwhile can only make the wait longer. */
export function createRefusals(clock: Clock, mostKeys = 10_000): Refusals {
  const usedUpUntil = new Map<string, number>();
  const oldest = createOldest(usedUpUntil);

  const waitOf = (key: string): number => {
    const until = usedUpUntil.get(key);
    if (until === undefined) return 0;
    const wait = until - clock.monotonic();
    if (wait <= 0) usedUpUntil.delete(key);
    return wait;
  };

  return {
    keep(key, waitMs) {
      usedUpUntil.delete(key);
      usedUpUntil.set(key, clock.monotonic() + waitMs);
      if (usedUpUntil.size > mostKeys) oldest.drop();
    },
    find(asks) {
      const waits = asks.map(({ key }) => waitOf(key));
      if (!waits.some((wait) => wait > 0)) return null;
      return asks.map(({ limit, windowMs }, index) => {
        const wait = waits[index] ?? 0;
        return wait > 0 ? decisionOf(false, limit, limit, wait) : decisionOf(true, limit, 0, windowMs);
      });
    },
  };
}
