/** When the feed is checked next, and how long a copy counts as fresh: interval, jitter and backoff. */

export interface Schedule {
  /**
   * The feed was read or is unchanged. `maxAgeSeconds` from its server may lengthen the interval, up to an hour.
   *
   * @returns how long the copy counts as fresh: three intervals, in milliseconds.
   */
  succeed(maxAgeSeconds: number | null): number;
  /** The feed could not be fetched: backs off, and at least as long as Retry-After asks for, up to an hour. */
  fail(retryAfterSeconds: number | null): void;
  /** The feed was fetched and refused: its server works, so the interval holds. */
  refuse(): void;
  /** Milliseconds from the last check to the next one. */
  delayMs(): number;
}

const jitter = 0.2;
const firstBackoffSeconds = 15;
const maxBackoffSeconds = 900;
const minDelaySeconds = 5;
/** The longest delay that the feed's server can ask for. */
const maxRequestedSeconds = 3600;

/** `random` returns a number from 0 up to 1. */
export function createSchedule(intervalSeconds: number, random: () => number): Schedule {
  let failures = 0;
  let delaySeconds = 0;
  const withJitter = (seconds: number): number => seconds * (1 - jitter + 2 * jitter * random());
  return {
    succeed(maxAgeSeconds) {
      failures = 0;
      const interval = Math.max(intervalSeconds, Math.min(maxAgeSeconds ?? 0, maxRequestedSeconds));
      delaySeconds = withJitter(interval);
      return 3 * interval * 1000;
    },
    fail(retryAfterSeconds) {
      const ceiling = Math.min(maxBackoffSeconds, firstBackoffSeconds * 2 ** Math.min(failures, 10));
      failures += 1;
      delaySeconds = Math.max(
        minDelaySeconds,
        ceiling * random(),
        Math.min(retryAfterSeconds ?? 0, maxRequestedSeconds),
      );
    },
    refuse() {
      delaySeconds = withJitter(intervalSeconds);
    },
    delayMs: () => delaySeconds * 1000,
  };
}
