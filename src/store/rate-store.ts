/** Where the rate limits of several processes are counted: what a limiter asks, and what it gets. */
import type { LiveToken } from './store.ts';

/** One counter to look at. */
export interface Ask {
  readonly key: string;
  /** At most so many in any `windowMs`. */
  readonly limit: number;
  readonly windowMs: number;
  /** false: it is only looked at. */
  readonly count: boolean;
  /** Not set: nothing is leased. */
  readonly lease?: LeaseAsk;
}

/** A share of a counter that a process reserves in advance, and one that it gives back. All of a lease counts as used until it is settled. */
export interface LeaseAsk {
  /** How many to reserve; fewer may be, or none. */
  readonly wanted: number;
  /** Of the new lease: unlike any other's of any process. */
  readonly id: number;
  /** The lease that is settled, and how many requests were admitted from it; null: none. */
  readonly settled: { readonly id: number; readonly spent: number } | null;
}

/** A lease may be used for so many milliseconds. */
export const leaseMs = 1000;
/** A lease has at most this share of the limit, and all of them half of what is left. */
export const mostLeased = 1 / 20;

/** What a counter holds after the asking. */
export interface Count {
  /** One more was, or would have been, within the limit. */
  readonly allowed: boolean;
  readonly used: number;
  /** How many of those are leased to processes that may give some of them back. */
  readonly reserved: number;
  /** How many are leased to whoever asked, and not counted in `used`. */
  readonly leased: number;
  /** Milliseconds until the oldest counted requests stop counting; the whole window when none are. */
  readonly waitMs: number;
}

/** A token, and the counters of a request that carries it. Each counter is asked for one more. */
export interface TokenAsk {
  readonly hash: Uint8Array;
  /** Milliseconds since 1970, by the clock that tokens expire by. */
  readonly now: number;
  /** Invalid tokens of the address: only looked at for a valid one. */
  readonly refused: CounterAsk;
  /** Counted for an invalid token, and for any where there is no `holder`. */
  readonly bucket: CounterAsk;
  /** Counted for a valid token: its address, and its client, whose counter's name begins with the prefix. */
  readonly holder: { readonly address: CounterAsk; readonly clientPrefix: string; readonly clientLimit: number } | null;
}

export type CounterAsk = Pick<Ask, 'key' | 'limit' | 'windowMs'>;

/** What a counter was asked for and holds now. null: it was not looked at, since another one refused before. */
export interface TokenCount {
  /** undefined: expired, revoked or unknown. */
  readonly token: LiveToken | undefined;
  readonly refused: Count;
  readonly bucket: Count | null;
  readonly holder: { readonly address: Count; readonly client: Count } | null;
}

/** Counters outside of this process. Every method may reject, and may take as long as a network takes. */
export interface RateStore {
  /** For the log and the metrics. */
  readonly name: 'redis' | 'postgresql';
  /** Counts one for each ask that counts, in one step, or none at all when one of them is used up. Counts in the order asked. */
  take(asks: readonly Ask[]): Promise<Count[]>;
  /** Looks a token up and counts its request in one step; only where tokens are kept in the same database. */
  admit?(ask: TokenAsk): Promise<TokenCount>;
  /** Gives up whatever is asked and not answered. */
  abandon(): void;
  close(): Promise<void>;
}

/**
 * How much longer than its window a counter is kept: a counter must not be gone before its requests stop counting, however
 * the database rounds.
 */
export const slackMs = 5000;
