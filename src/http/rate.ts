/** The rate limits: their counters, the bucket of a path, and the parts of a response about the decision. */
import { ApiError } from '../base/api-error.ts';
import type { SharedLimits } from '../limits/shared-limits.ts';
import type { Decision, LocalLimits } from '../limits/sliding-window.ts';
import type { RateLimits } from '../operations/context.ts';
import type { CounterRequest } from '../store/rate-store.ts';
import { isSandboxPage, isSandboxPath } from './answer.ts';
import type { Bucket } from './exchange.ts';

/** Counts requests by limit and by key: an address key or a client ID. */
export interface Rates {
  /** Counts a request of `key` in `bucket` unless the limit is reached, and resolves with the decision; never rejects. */
  take(bucket: Bucket, key: string): Promise<Decision>;
  /** Counts like `take` at once if this process counts by itself, or returns null if processes share the counter. */
  takeHere(bucket: Bucket, key: string): Decision | null;
  /** Returns what `take` would decide, and counts nothing; never rejects. */
  look(bucket: Bucket, key: string): Promise<Decision>;
  /** Returns what this process's own counts would decide, and counts nothing. */
  peek(bucket: Bucket, key: string): Decision;
}

/** The limits, and the counters of this process and of all processes. */
export interface RatesOptions {
  readonly limits: RateLimits;
  readonly local: LocalLimits;
  /** The limits of several processes, or null if only this process counts. */
  readonly shared: SharedLimits | null;
}

/** Creates the counters of every limit. `pages` and `address` always count in this process. */
export function createRates({ limits, local, shared }: RatesOptions): Rates {
  const createRequest = (bucket: Bucket, key: string, count: boolean): CounterRequest => ({
    key: `${bucket} ${key}`,
    limit: limits[bucket],
    windowMs: getWindowSeconds(bucket) * 1000,
    count,
  });
  const findCounters = (bucket: Bucket) =>
    shared === null || bucket === 'pages' || bucket === 'address' ? local : shared;
  return {
    takeHere: (bucket, key) => (findCounters(bucket) === local ? local.take(createRequest(bucket, key, true)) : null),
    peek: (bucket, key) => local.take(createRequest(bucket, key, false)),
    take: async (bucket, key) => findCounters(bucket).take(createRequest(bucket, key, true)),
    look: async (bucket, key) => findCounters(bucket).take(createRequest(bucket, key, false)),
  };
}

/** Returns the length of a limit's window, in seconds. */
export const getWindowSeconds = (bucket: Bucket): number => (bucket === 'registration' ? 3600 : 60);

const apiPaths = /^\/(api|mcp|oauth|agent|\.well-known)(\/|$)|^\/(openapi(\.sdk)?\.json|auth\.md)$/;

/** Returns whether the path is a page or a file, which ignore the Authorization header. */
export const isPagePath = (path: string): boolean => isSandboxPage(path) || findBucket(path) === 'pages';

/**
 * Returns the bucket of a path: `sandbox` for the sandbox's API and pages, `anonymous` for the rest of the API, MCP, OAuth, the
 * contract and discovery documents, otherwise `pages`. The admission counts a request with a valid token in `authenticated` instead
 * of `anonymous`.
 */
export function findBucket(path: string): 'anonymous' | 'sandbox' | 'pages' {
  if (isSandboxPath(path)) return 'sandbox';
  if (path.startsWith('/api/')) return 'anonymous';
  return apiPaths.test(path) ? 'anonymous' : 'pages';
}

/**
 * Returns the value of the `RateLimit` field, such as `"pages";r=59;t=60`: the requests left in a bucket, and the seconds until it
 * has more.
 */
export const formatRateLimit = (bucket: Bucket, { remaining, resetSeconds }: Decision): string =>
  `"${bucket}";r=${remaining};t=${resetSeconds}`;

/** Returns the error `rate_limited` of a bucket that is used up, with `resetSeconds` of the decision as the time to wait. */
export function createRateLimitError(bucket: Bucket, { limit, resetSeconds }: Decision): ApiError {
  const wait = resetSeconds === 1 ? 'Wait 1 second.' : `Wait ${resetSeconds} seconds.`;
  return new ApiError('rate_limited', `${describeExcess(bucket, limit)} ${wait}`, { retryAfter: resetSeconds });
}

function describeExcess(bucket: Bucket, limit: number): string {
  switch (bucket) {
    case 'address':
      return `The clients of this address sent more than ${limit} requests in a minute together.`;
    case 'registration':
      return `More than ${limit} clients were registered from this address in an hour. Use one of them again.`;
    case 'issue':
      return `More than ${limit} tokens were issued to this client in a minute. Each is valid for an hour; use it again.`;
    case 'refused':
      return `More than ${limit} requests with an invalid token came from this address in a minute, so no token from it is checked for now, not even a valid one. To read without waiting, leave out the Authorization header.`;
    default:
      return `More than ${limit} requests came in a minute.`;
  }
}
