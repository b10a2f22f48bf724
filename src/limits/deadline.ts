/** How long a response from outside may take, counted in turns of the event loop as well as in time. */
import type { Clock } from '../base/clock.ts';

export interface Deadline {
  /** Calls `run` once the response is late, unless the function returned is called before. */
  start(run: () => void): () => void;
}

const ticks = 5;

/**
 * A fifth of `ms` must have begun five times, and what had come by then has been read: a process that is late itself does not
 * take a store for late that has answered. One timer serves all who wait, and none runs while nobody does.
 */
export function createDeadline(clock: Clock, ms: number): Deadline {
  /** By who waits: the tick that it waits until. Those that began first come first. */
  const waiting = new Map<() => void, number>();
  let now = 0;
  let isTicking = false;

  const tick = (): void => {
    now += 1;
    // After the sockets have been read.
    setImmediate(() => {
      for (const [run, until] of waiting) {
        if (until > now) break;
        waiting.delete(run);
        run();
      }
    });
    if (waiting.size > 0) clock.after(ms / ticks, tick);
    else isTicking = false;
  };

  return {
    start(run) {
      waiting.set(run, now + ticks);
      if (!isTicking) {
        isTicking = true;
        clock.after(ms / ticks, tick);
      }
      return () => void waiting.delete(run);
    },
  };
}
