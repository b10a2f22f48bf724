/** The rate limits, counted by this process only. */
import type { Clock } from '../base/clock.ts';
import type { Ask } from '../store/rate-store.ts';
import { createLimiter, type Decision, type Limiter } from './sliding-window.ts';

export interface LocalLimits {
  /** The counters of a window. */
  of(windowMs: number): Limiter;
  /** Counts one for each ask that counts, or none at all when one of them is used up. Decisions in the order asked. */
  takeAll(asks: readonly Ask[]): Decision[];
}

export function createLocalLimits(clock: Clock): LocalLimits {
  const limiters = new Map<number, Limiter>();
  const of = (windowMs: number): Limiter => {
    const known = limiters.get(windowMs);
    if (known !== undefined) return known;
    const made = createLimiter({ clock, windowMs });
    limiters.set(windowMs, made);
    return made;
  };
  return {
    of,
    takeAll(asks) {
      const counts = asks.every(({ key, limit, windowMs }) => of(windowMs).allows(key, limit));
      return asks.map(({ key, limit, windowMs, count }) =>
        count && counts ? of(windowMs).take(key, limit) : of(windowMs).peek(key, limit),
      );
    },
  };
}
