/** When the feed is asked for next, and how long a response counts as fresh. */
import type { Clock } from '../base/clock.ts';

export interface ScheduleOptions {
  readonly clock: Clock;
  readonly intervalSeconds: number;
  /** From 0 up to 1. */
  readonly random: () => number;
}

export interface Schedule {
  /** The feed was read or is unchanged. `maxAgeSeconds` from its server may lengthen the interval, up to an hour. */
  succeeded(maxAgeSeconds: number | null): void;
  /** The feed could not be fetched: back off, and at least as long as Retry-After says, up to an hour. */
  failed(retryAfterSeconds: number | null): void;
  /** The feed came and was refused: its server is well, so the interval holds. */
  refused(): void;
  /** Runs `run` when the next attempt is due, in place of any earlier arrangement. */
  next(run: () => void): void;
  /** Whether the last success is at most three intervals ago. */
  isFresh(): boolean;
  /** Milliseconds for which the last success still counts as fresh; null: there was none. */
  freshForMs(): number | null;
  /** Milliseconds until the next attempt; null: none is arranged. */
  dueInMs(): number | null;
  /** Whole seconds until the next attempt, 5 to 300. */
  retryAfterSeconds(): number;
  stop(): void;
}

const jitter = 0.2;
const firstBackoffSeconds = 15;
const longestBackoffSeconds = 900;
const shortestDelaySeconds = 5;
const longestWishSeconds = 3600;

export function createSchedule({ clock, intervalSeconds, random }: ScheduleOptions): Schedule {
  let failures = 0;
  let delayMs = 0;
  let dueAt: number | null = null;
  let interval = intervalSeconds;
  let succeededAt: number | null = null;
  let cancel = () => {};

  // An interval that the feed's server lengthened lengthens freshness too: nothing is asked for in between.
  const freshForMs = (): number | null =>
    succeededAt === null ? null : succeededAt + 3 * interval * 1000 - clock.monotonic();
  const dueInMs = (): number | null => (dueAt === null ? null : dueAt - clock.monotonic());
  const jittered = (seconds: number): number => seconds * (1 - jitter + 2 * jitter * random());
  return {
    succeeded(maxAgeSeconds) {
      failures = 0;
      succeededAt = clock.monotonic();
      interval = Math.max(intervalSeconds, Math.min(maxAgeSeconds ?? 0, longestWishSeconds));
      delayMs = jittered(interval) * 1000;
    },
    failed(retryAfterSeconds) {
      const ceiling = Math.min(longestBackoffSeconds, firstBackoffSeconds * 2 ** Math.min(failures, 10));
      failures += 1;
      const wish = Math.min(retryAfterSeconds ?? 0, longestWishSeconds);
      delayMs = Math.max(shortestDelaySeconds, ceiling * random(), wish) * 1000;
    },
    refused() {
      delayMs = jittered(intervalSeconds) * 1000;
    },
    next(run) {
      cancel();
      dueAt = clock.monotonic() + delayMs;
      cancel = clock.after(delayMs, run);
    },
    isFresh: () => (freshForMs() ?? -1) >= 0,
    freshForMs,
    dueInMs,
    retryAfterSeconds: () => clampedSeconds(dueInMs() ?? 0),
    stop() {
      cancel();
    },
  };
}

/** What a caller is told to wait: whole seconds, 5 to 300. */
export const clampedSeconds = (ms: number): number => Math.min(300, Math.max(5, Math.ceil(ms / 1000)));
