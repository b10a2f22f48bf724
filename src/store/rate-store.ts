/** Where the rate limits of several processes are counted: what a limiter asks, and what it gets. */

/** One counter to look at. */
export interface Ask {
  readonly key: string;
  /** At most so many in any `windowMs`. */
  readonly limit: number;
  readonly windowMs: number;
  /** false: it is only looked at. */
  readonly count: boolean;
}

/** What a counter holds after the asking. */
export interface Count {
  /** One more was, or would have been, within the limit. */
  readonly allowed: boolean;
  readonly used: number;
  /** Milliseconds until the oldest counted requests stop counting; the whole window when none are. */
  readonly waitMs: number;
}

/** Counters outside of this process. Every method may reject, and may take as long as a network takes. */
export interface RateStore {
  /** For the log and the metrics. */
  readonly name: 'redis' | 'postgresql';
  /** Counts one for each ask that counts, in one step, or none at all when one of them is used up. Counts in the order asked. */
  take(asks: readonly Ask[]): Promise<Count[]>;
  /** Gives up whatever is asked and not answered. */
  abandon(): void;
  close(): Promise<void>;
}

/**
 * How much longer than its window a counter is kept: a counter must not be gone before its requests stop counting, however
 * the database rounds.
 */
export const slackMs = 5000;
