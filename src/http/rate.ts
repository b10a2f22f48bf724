/** The rate limits: the counters, the bucket of a path, and what a response says of the decision. */
import { ApiError } from '../base/api-error.ts';
import type { Clock } from '../base/clock.ts';
import { createLimiter, type Decision, type Limiter } from '../limits/sliding-window.ts';
import type { RateLimits } from '../operations/context.ts';
import { isSandboxPath } from './answer.ts';
import type { Policy } from './exchange.ts';

export interface Rates {
  /** Counts one for `key` (an address, a client) unless it is one too many. */
  take(policy: Policy, key: string): Decision;
  /** What `take` would decide; counts nothing. */
  peek(policy: Policy, key: string): Decision;
}

export function createRates({ clock, limits }: { clock: Clock; limits: RateLimits }): Rates {
  const minute = createLimiter({ clock, windowMs: 60_000 });
  const hour = createLimiter({ clock, windowMs: 3_600_000 });
  const limiterOf = (policy: Policy): Limiter => (windowSeconds(policy) === 60 ? minute : hour);
  return {
    take: (policy, key) => limiterOf(policy).take(`${policy} ${key}`, limits[policy]),
    peek: (policy, key) => limiterOf(policy).peek(`${policy} ${key}`, limits[policy]),
  };
}

const windowSeconds = (policy: Policy): number => (policy === 'registration' ? 3600 : 60);

const apiPaths = /^\/(api|mcp|oauth|agent|\.well-known)(\/|$)|^\/(openapi\.json|auth\.md)$/;

/** By path alone: a token lifts `anonymous` to `authenticated`. */
export function bucketOf(path: string): 'anonymous' | 'sandbox' | 'pages' {
  if (isSandboxPath(path)) return 'sandbox';
  return apiPaths.test(path) ? 'anonymous' : 'pages';
}

/** The three RateLimit-… fields that most clients read, and the structured pair of draft-ietf-httpapi-ratelimit-headers. */
export function rateHeaders(policy: Policy, decision: Decision, set: (name: string, value: string) => void): void {
  const { limit, remaining, resetSeconds } = decision;
  set('ratelimit-limit', String(limit));
  set('ratelimit-remaining', String(remaining));
  set('ratelimit-reset', String(resetSeconds));
  set('ratelimit-policy', `"${policy}";q=${limit};w=${windowSeconds(policy)}`);
  set('ratelimit', `"${policy}";r=${remaining};t=${resetSeconds}`);
}

/** The 429 of a limit that is used up. */
export function rateLimited(policy: Policy, { limit, resetSeconds }: Decision): ApiError {
  const wait = resetSeconds === 1 ? 'Wait 1 second.' : `Wait ${resetSeconds} seconds.`;
  return new ApiError('rate_limited', `${whatCame(policy, limit)} ${wait}`, { retryAfter: resetSeconds });
}

function whatCame(policy: Policy, limit: number): string {
  switch (policy) {
    case 'address':
      return `The clients of this address sent more than ${limit} requests in a minute together.`;
    case 'registration':
      return `More than ${limit} clients were registered from this address in an hour. Use one of them again.`;
    case 'issue':
      return `More than ${limit} tokens were issued to this client in a minute. Each is good for an hour; use it again.`;
    case 'refused':
      return `More than ${limit} requests with a refused token came from this address in a minute. Get a new token, or leave out the Authorization header.`;
    default:
      return `More than ${limit} requests came in a minute.`;
  }
}
