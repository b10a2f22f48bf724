/** The rule of the rate limits, in the memory of this process: at most `limit` requests in any rolling window, at any pace. */
import { LRUCache } from 'lru-cache';
import type { Clock } from '../base/clock.ts';
import type { CounterRequest } from '../store/rate-store.ts';

/** The outcome of a request in one limit, which its response reports. */
export interface Decision {
  readonly allowed: boolean;
  readonly limit: number;
  /** Requests left right now. */
  readonly remaining: number;
  /** Whole seconds, at least 1, until the oldest counted requests stop counting; the whole window if none are counted. */
  readonly resetSeconds: number;
}

/** Counters of requests by key, which all have a window of the same length. */
export interface Limiter {
  /** Counts one request of `key` if it is within `limit`. A refused request is not counted. */
  take(key: string, limit: number): Decision;
  /** Decides whether `take` would allow a request, and counts nothing: `remaining` still includes that request. */
  peek(key: string, limit: number): Decision;
  /** Counts one request of `key` that the shared store has admitted, whatever the limit. */
  record(key: string): void;
  /** Number of counters in memory. */
  readonly size: number;
}

/**
 * Requests within a sixtieth of the window of the first one, with monotonic times in milliseconds. They stop counting together, a
 * window after the last.
 */
interface Group {
  readonly first: number;
  last: number;
  count: number;
}

/** The groups of one key that still count, oldest first. */
interface Counter {
  readonly groups: Group[];
  used: number;
}

/**
 * Creates counters in memory: no rolling window ever holds more than the limit. A key has at most 61 groups. Beyond `maxKeys`,
 * 100,000 by default, the key that was used longest ago is forgotten.
 */
export function createLimiter(options: { clock: Clock; windowMs: number; maxKeys?: number }): Limiter {
  const { clock, windowMs, maxKeys = 100_000 } = options;
  const counters = new LRUCache<string, Counter>({
    // `maxSize` with a size of 1 limits the number of keys; `max` would reserve memory for all of them at once.
    maxSize: maxKeys,
    sizeCalculation: () => 1,
  });

  const findCounter = (key: string, now: number): Counter => {
    const counter = counters.get(key) ?? { groups: [], used: 0 };
    const { groups } = counter;
    while (groups[0] !== undefined && now - groups[0].last >= windowMs) {
      counter.used -= groups[0].count;
      groups.shift();
    }
    return counter;
  };

  const add = (key: string, counter: Counter, now: number): void => {
    const newest = counter.groups.at(-1);
    if (newest !== undefined && now - newest.first < windowMs / 60) {
      newest.last = now;
      newest.count += 1;
    } else {
      if (newest === undefined) counters.set(key, counter);
      counter.groups.push({ first: now, last: now, count: 1 });
    }
    counter.used += 1;
  };

  const decide = (key: string, limit: number, counts: boolean): Decision => {
    const now = clock.monotonic();
    const counter = findCounter(key, now);
    const isAllowed = counter.used < limit;
    if (isAllowed && counts) add(key, counter, now);
    // Subtract in this order: adding the window to a fractional time and subtracting the time again can exceed the window.
    return toDecision(isAllowed, limit, counter.used, windowMs - (now - (counter.groups[0]?.last ?? now)));
  };

  return {
    take: (key, limit) => decide(key, limit, true),
    peek: (key, limit) => decide(key, limit, false),
    record(key) {
      const now = clock.monotonic();
      add(key, findCounter(key, now), now);
    },
    get size() {
      return counters.size;
    },
  };
}

/**
 * Returns the decision of a counter that now holds `usedCount` requests, this one included if it was counted. The oldest of them
 * stop counting in `waitMs` milliseconds.
 */
export const toDecision = (isAllowed: boolean, limit: number, usedCount: number, waitMs: number): Decision => ({
  allowed: isAllowed,
  limit,
  remaining: Math.max(0, limit - usedCount),
  resetSeconds: Math.max(1, Math.ceil(waitMs / 1000)),
});

/** The rate limits as this process counts them. */
export interface LocalLimits {
  /** Returns the counters whose window has that length, in milliseconds, always the same ones. */
  limiterFor(windowMs: number): Limiter;
  /** Decides whether the request's counter has room for it, and counts the request then, unless `count` is false. */
  take(request: CounterRequest): Decision;
}

/**
 * Creates the rate limits of this process, empty at first. Each window has counters of its own, which are created with its first request.
 */
export function createLocalLimits(clock: Clock): LocalLimits {
  const limiters = new Map<number, Limiter>();
  const getLimiter = (windowMs: number): Limiter => {
    const limiter = limiters.get(windowMs) ?? createLimiter({ clock, windowMs });
    limiters.set(windowMs, limiter);
    return limiter;
  };
  return {
    limiterFor: getLimiter,
    take: ({ key, limit, windowMs, count }) => getLimiter(windowMs)[count ? 'take' : 'peek'](key, limit),
  };
}
