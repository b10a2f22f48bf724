/** The rate limit's rule: at most so many requests in any rolling window, all of which may come at once. */
import type { Clock } from '../base/clock.ts';

export interface Decision {
  readonly allowed: boolean;
  readonly limit: number;
  /** Requests left right now. */
  readonly remaining: number;
  /** Whole seconds, at least 1, until the oldest counted requests stop counting. */
  readonly resetSeconds: number;
}

export interface Limiter {
  /** Counts one request of `key` when it is within `limit` for the window; a refused one is not counted. */
  take(key: string, limit: number): Decision;
  /** What `take` would decide, without counting anything. */
  peek(key: string, limit: number): Decision;
  /** How many keys are held. */
  readonly size: number;
}

/** Requests that came within a sixtieth of the window of each other; they stop counting together, after the last. */
interface Group {
  first: number;
  last: number;
  count: number;
}

/**
 * No rolling window ever holds more than the limit: a group counts until a whole window has passed since its last
 * request. At most 61 groups a key, at most `mostKeys` keys; past that the key that was used longest ago is forgotten.
 */
export function createLimiter(options: { clock: Clock; windowMs: number; mostKeys?: number }): Limiter {
  const { clock, windowMs, mostKeys = 100_000 } = options;
  const groupMs = windowMs / 60;
  const keys = new Map<string, Group[]>();

  const heldFor = (key: string, now: number): Group[] => {
    const groups = keys.get(key);
    if (groups === undefined) return [];
    keys.delete(key);
    while (groups[0] !== undefined && now - groups[0].last >= windowMs) groups.shift();
    return groups;
  };

  return {
    peek(key, limit) {
      const now = clock.monotonic();
      const live = (keys.get(key) ?? []).filter(({ last }) => now - last < windowMs);
      const used = usedBy(live);
      return decision(live, now, limit, used, used < limit);
    },
    take(key, limit) {
      const now = clock.monotonic();
      const groups = heldFor(key, now);
      let used = usedBy(groups);
      const allowed = used < limit;
      if (allowed) {
        const newest = groups.at(-1);
        if (newest !== undefined && now - newest.first < groupMs) {
          newest.last = now;
          newest.count += 1;
        } else groups.push({ first: now, last: now, count: 1 });
        used += 1;
      }
      if (groups.length > 0) keys.set(key, groups);
      if (keys.size > mostKeys) {
        const [oldest = key] = keys.keys();
        keys.delete(oldest);
      }
      return decision(groups, now, limit, used, allowed);
    },
    get size() {
      return keys.size;
    },
  };

  function decision(groups: readonly Group[], now: number, limit: number, used: number, allowed: boolean): Decision {
    // In this order: adding the window to a fractional moment and taking the moment away again can give more than it.
    const wait = windowMs - (now - (groups[0]?.last ?? now));
    return { allowed, limit, remaining: Math.max(0, limit - used), resetSeconds: Math.max(1, Math.ceil(wait / 1000)) };
  }
}

function usedBy(groups: readonly Group[]): number {
  let used = 0;
  for (const group of groups) used += group.count;
  return used;
}
