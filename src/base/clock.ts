/** Time, as an argument: nothing else in the code asks the machine what time it is. */

export interface Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z. May jump when the machine's clock is set. */
  now(): number;
  /** Milliseconds since an arbitrary moment; never goes back. */
  monotonic(): number;
  /** Calls `run` once after `ms` milliseconds, or in the next turn where they are over already; the function returned cancels it. Does not keep the process alive. */
  after(ms: number, run: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(ms, run) {
    // Node warns of a moment that passed while somebody computed how far away it was.
    const timer = setTimeout(run, Math.max(0, ms));
    timer.unref();
    return () => clearTimeout(timer);
  },
};
