/** The interface of rate counters that several processes share: one request to count, and what its counter holds afterwards. */

/** A request that counts in a counter, or looks at it. */
export interface CounterRequest {
  readonly key: string;
  /** Maximum number of requests in any `windowMs`. */
  readonly limit: number;
  readonly windowMs: number;
  /** If false, the counter is read and not incremented. */
  readonly count: boolean;
}

/** State of a counter after the request. */
export interface CounterState {
  /** Whether the request is within the limit, or would be if it counted. */
  readonly allowed: boolean;
  /** Number of requests that count now, this one included if it does. */
  readonly used: number;
  /** Milliseconds until the oldest counted requests stop counting; the whole window if none are counted. */
  readonly waitMs: number;
}

/** Counters outside of this process. Every method may reject, and may take as long as a network takes. */
export interface RateStore {
  /** Name for the log and the metrics. */
  readonly name: 'redis' | 'postgresql';
  /** Counts the request if its `count` is true and its counter has room for it, and returns the state of the counter. */
  take(request: CounterRequest): Promise<CounterState>;
  close(): Promise<void>;
}
