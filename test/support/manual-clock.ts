/** A clock that stands still until a test moves it. */
import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../../src/base/clock.ts';

/** A clock that only the test moves. */
export interface ManualClock extends Clock {
  /** Moves time on by `ms`, running what falls due in order; the event loop turns after each, so that promises settle. */
  advance(ms: number): Promise<void>;
}

/** Creates a clock that moves only when the test says so. Its readings start at `startMs` (now) and 0 (monotonic) and move together. */
export function createManualClock(startMs: number): ManualClock {
  let elapsed = 0;
  const timers = new Set<{ due: number; run: () => void }>();
  return {
    now: () => startMs + elapsed,
    monotonic: () => elapsed,
    after(ms, run) {
      const timer = { due: elapsed + Math.max(0, ms), run };
      timers.add(timer);
      return () => {
        timers.delete(timer);
      };
    },
    async advance(ms) {
      const end = elapsed + ms;
      await setImmediate();
      for (let timer = earliest(timers, end); timer !== null; timer = earliest(timers, end)) {
        timers.delete(timer);
        elapsed = Math.max(elapsed, timer.due);
        timer.run();
        await setImmediate();
      }
      elapsed = end;
    },
  };
}

/**
 * Returns the timer that falls due first and not after `end`, of two at one moment the one that was set first, or null if there is
 * none.
 */
function earliest<T extends { due: number }>(timers: Iterable<T>, end: number): T | null {
  let first: T | null = null;
  for (const timer of timers) if (timer.due <= end && (first === null || timer.due < first.due)) first = timer;
  return first;
}
