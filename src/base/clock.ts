/** The clock, which is passed as an argument: no other code reads the time of the machine. */

/** A source of time and timers. */
export interface Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z. May jump when the machine's clock is set. */
  now(): number;
  /** Milliseconds since an arbitrary moment; never goes back. */
  monotonic(): number;
  /**
   * Calls `run` once after `ms` milliseconds, or in the next turn of the event loop if `ms` is not above 0. Returns a function that
   * cancels the call. A pending call does not keep the process alive.
   */
  after(ms: number, run: () => void): () => void;
}

/** The clock of the machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(ms, run) {
    // Node warns about a negative delay, which a caller computes when the moment has just passed.
    const timer = setTimeout(run, Math.max(0, ms));
    timer.unref();
    return () => clearTimeout(timer);
  },
};
