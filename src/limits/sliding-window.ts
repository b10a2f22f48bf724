/** The rate limit's rule: at most so many requests in any rolling window, all of which may come at once. */
import type { Clock } from '../base/clock.ts';
import { createOldest } from '../base/oldest.ts';

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
  /** Whether `take` would count one. */
  allows(key: string, limit: number): boolean;
  /** Counts one request of `key` that was let in by somebody else's decision. */
  record(key: string): void;
  /** How many keys are held. */
  readonly size: number;
}

/** Requests that came within a sixtieth of the window of each other; they stop counting together, after the last. */
interface Group {
  first: number;
  last: number;
  count: number;
}

/** What a key has used of its window, and when. */
interface Counted {
  readonly groups: Group[];
  used: number;
  /** When it became the newest key. */
  movedAt: number;
}

/**
 * No rolling window ever holds more than the limit: a group counts until a whole window has passed since its last
 * request. At most 61 groups a key, at most `mostKeys` keys; past that the key that was used longest ago is forgotten, to a sixtieth of the
 * window: a Map whose entries move with each request is rebuilt all the time.
 */
export function createLimiter(options: { clock: Clock; windowMs: number; mostKeys?: number }): Limiter {
  const { clock, windowMs, mostKeys = 100_000 } = options;
  const groupMs = windowMs / 60;
  /** In the order of their last use. */
  const keys = new Map<string, Counted>();
  const oldest = createOldest(keys);

  const countedFor = (key: string, now: number): Counted => {
    const counted = keys.get(key) ?? { groups: [], used: 0, movedAt: Number.NEGATIVE_INFINITY };
    const { groups } = counted;
    while (groups[0] !== undefined && now - groups[0].last >= windowMs) {
      counted.used -= groups[0].count;
      groups.shift();
    }
    return counted;
  };

  const keep = (key: string, counted: Counted, now: number): void => {
    if (now - counted.movedAt < groupMs) return;
    counted.movedAt = now;
    keys.delete(key);
    keys.set(key, counted);
    if (keys.size > mostKeys) oldest.drop();
  };

  const add = (counted: Counted, now: number): void => {
    const { groups } = counted;
    const newest = groups[groups.length - 1];
    if (newest !== undefined && now - newest.first < groupMs) {
      newest.last = now;
      newest.count += 1;
    } else groups.push({ first: now, last: now, count: 1 });
    counted.used += 1;
  };

  return {
    peek(key, limit) {
      const now = clock.monotonic();
      const { groups, used } = countedFor(key, now);
      return decision(groups, now, limit, used, used < limit);
    },
    take(key, limit) {
      const now = clock.monotonic();
      const counted = countedFor(key, now);
      const { groups } = counted;
      const allowed = counted.used < limit;
      if (allowed) add(counted, now);
      if (groups.length > 0) keep(key, counted, now);
      return decision(groups, now, limit, counted.used, allowed);
    },
    allows: (key, limit) => countedFor(key, clock.monotonic()).used < limit,
    record(key) {
      const now = clock.monotonic();
      const counted = countedFor(key, now);
      add(counted, now);
      keep(key, counted, now);
    },
    get size() {
      return keys.size;
    },
  };

  function decision(groups: readonly Group[], now: number, limit: number, used: number, allowed: boolean): Decision {
    // In this order: adding the window to a fractional moment and taking the moment away again can give more than it.
    return decisionOf(allowed, limit, used, windowMs - (now - (groups[0]?.last ?? now)));
  }
}

/** What a client is told of a counter that has counted `used`, the oldest of which stop counting in `waitMs`. */
export const decisionOf = (allowed: boolean, limit: number, used: number, waitMs: number): Decision => ({
  allowed,
  limit,
  remaining: Math.max(0, limit - used),
  resetSeconds: Math.max(1, Math.ceil(waitMs / 1000)),
});
