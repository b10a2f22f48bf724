/** Creates a clock whose time changes only when a test advances it. */
import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../../src/base/clock.ts';

/** A clock whose time only the test changes. */
export interface ManualClock extends Clock {
  /** Advances the time by `ms`, and runs the timers that fall due in order, each followed by a turn of the event loop for promises. */
  advance(ms: number): Promise<void>;
}

/** Creates a clock that only `advance` changes. `now` starts at `startMs`, `monotonic` at 0, and both advance together. */
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
      for (let timer = findNextTimer(timers, end); timer !== null; timer = findNextTimer(timers, end)) {
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
function findNextTimer<T extends { due: number }>(timers: Iterable<T>, end: number): T | null {
  let first: T | null = null;
  for (const timer of timers) if (timer.due <= end && (first === null || timer.due < first.due)) first = timer;
  return first;
}
