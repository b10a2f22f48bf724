/** Where the rate limits of several processes are counted: what a limiter asks, and what it is told. */

/** One counter to look at. */
export interface Ask {
  readonly key: string;
  /** At most so many in any `windowMs`. */
  readonly limit: number;
  readonly windowMs: number;
  /** false: it is only looked at. */
  readonly count: boolean;
}
