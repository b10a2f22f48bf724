/** The rate limits: the counters, the bucket of a path, and what a response says of the decision. */
import { ApiError } from '../base/api-error.ts';
import type { LocalLimits } from '../limits/local-limits.ts';
import type { SharedLimits } from '../limits/shared-limits.ts';
import { type Decision, decisionOf, type Limiter } from '../limits/sliding-window.ts';
import type { RateLimits } from '../operations/context.ts';
import type { Ask, Count, TokenCount } from '../store/rate-store.ts';
import type { LiveToken } from '../store/store.ts';
import { isSandboxPage, isSandboxPath } from './answer.ts';
import type { Policy } from './exchange.ts';
import { remember } from './negotiation.ts';

/** One limit and whom it is asked for: an address, a client. */
export interface Bucket {
  readonly policy: Policy;
  readonly key: string;
  /** It is only looked at. */
  readonly peek?: true;
}

/** Decisions come at once where only this process counts, and as a promise where several share the counters. */
export interface Rates {
  /** Counts one for `key` unless it is one too many. */
  take(policy: Policy, key: string): Decision | Promise<Decision>;
  /** Counts one in each bucket, or in none when one of them is used up. */
  takeAll(buckets: readonly Bucket[]): Decision[] | Promise<Decision[]>;
  /**
   * Looks a token up and counts its request, in the order of the gate and in one step; null where look-up and counters are in different
   * places, or the counters cannot be asked now. Rejects as the store does.
   */
  admit(token: TokenToAdmit): Promise<AdmittedToken | null> | null;
  /** What `take` would decide from this process's own counts; counts nothing and asks nobody. */
  peek(policy: Policy, key: string): Decision;
}

export interface TokenToAdmit {
  readonly hash: Uint8Array;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Where the address's invalid tokens are counted. */
  readonly refused: Bucket;
  /** Where the path's requests are. */
  readonly bucket: Bucket;
  /** Whether a valid token counts for its client and for this address instead; null: it does not. */
  readonly address: Bucket | null;
}

export interface AdmittedToken {
  readonly token: LiveToken | undefined;
  /** The limit that refuses the request, or that its headers tell of. */
  readonly policy: Policy;
  readonly decision: Decision;
}

export interface RatesOptions {
  readonly limits: RateLimits;
  readonly local: LocalLimits;
  /** null: only this process counts. */
  readonly shared: SharedLimits | null;
}

export function createRates({ limits, local, shared }: RatesOptions): Rates {
  const minute = local.of(60_000);
  const hour = local.of(3_600_000);
  const counterOf = createCounterNames();
  const askOf = ({ policy, key, peek }: Bucket): Ask => ({
    key: counterOf(policy, key),
    limit: limits[policy],
    windowMs: windowSeconds(policy) * 1000,
    count: peek !== true,
  });
  const limiterOf = (policy: Policy): Limiter => (windowSeconds(policy) === 60 ? minute : hour);
  const admittedOf = (found: TokenCount, bucket: Policy): AdmittedToken => {
    const { token, refused, holder } = found;
    const told = (policy: Policy, { allowed, used, waitMs }: Count): AdmittedToken => ({
      token,
      policy,
      decision: decisionOf(allowed, limits[policy], used, waitMs),
    });
    if (!refused.allowed) return told('refused', refused);
    if (holder === null) return told(bucket, found.bucket ?? refused);
    return holder.address.allowed ? told('authenticated', holder.client) : told('address', holder.address);
  };
  const takeAll: Rates['takeAll'] = (buckets) => (shared ?? local).takeAll(buckets.map(askOf));
  return {
    take:
      shared === null
        ? (policy, key) => limiterOf(policy).take(counterOf(policy, key), limits[policy])
        : (policy, key) => onlyOf(takeAll([{ policy, key }])),
    takeAll,
    admit({ hash, now, refused, bucket, address }) {
      const holder =
        address === null
          ? null
          : {
              address: askOf(address),
              clientPrefix: counterOf('authenticated', ''),
              clientLimit: limits.authenticated,
            };
      const asked = shared?.admit({ hash, now, refused: askOf(refused), bucket: askOf(bucket), holder }) ?? null;
      return asked?.then((found) => (found === null ? null : admittedOf(found, bucket.policy))) ?? null;
    },
    peek: (policy, key) => limiterOf(policy).peek(counterOf(policy, key), limits[policy]),
  };
}

/** The counter of a policy for a key. Made once for those that come again: a new text has to be hashed before it is looked up. */
function createCounterNames(): (policy: Policy, key: string) => string {
  const byPolicy = new Map<Policy, (key: string) => string>();
  return (policy, key) => {
    let nameOf = byPolicy.get(policy);
    if (nameOf === undefined) {
      nameOf = remember((whose) => `${policy} ${whose}`, 2000);
      byPolicy.set(policy, nameOf);
    }
    return nameOf(key);
  };
}

function onlyOf(decisions: Decision[] | Promise<Decision[]>): Decision | Promise<Decision> {
  if (decisions instanceof Promise) return decisions.then(onlyOf);
  const [decision] = decisions;
  if (decision === undefined) throw new Error('A limit was asked for and not decided.');
  return decision;
}

const windowSeconds = (policy: Policy): number => (policy === 'registration' ? 3600 : 60);

const apiPaths = /^\/(api|mcp|oauth|agent|\.well-known)(\/|$)|^\/(openapi(\.sdk)?\.json|auth\.md)$/;

/** Whether people read what is there: a page or a file, for which no token is looked at. */
export const isPagePath = (path: string): boolean => isSandboxPage(path) || bucketOf(path) === 'pages';

/** By path only: a token lifts `anonymous` to `authenticated`. */
export function bucketOf(path: string): 'anonymous' | 'sandbox' | 'pages' {
  if (isSandboxPath(path)) return 'sandbox';
  if (path.startsWith('/api/')) return 'anonymous';
  return apiPaths.test(path) ? 'anonymous' : 'pages';
}

/**
 * The three RateLimit-… fields that most clients read, and the structured pair of draft-ietf-httpapi-ratelimit-headers.
 * The first two are the same for every request of a bucket.
 */
export function rateHeaders(policy: Policy, decision: Decision, set: (name: string, value: string) => void): void {
  const { limit, remaining, resetSeconds } = decision;
  set('ratelimit-limit', String(limit));
  set('ratelimit-policy', `"${policy}";q=${limit};w=${windowSeconds(policy)}`);
  set('ratelimit-remaining', digits(remaining));
  set('ratelimit-reset', String(resetSeconds));
  set('ratelimit', rateState(policy, decision));
}

/** The `RateLimit` field: what is left of a bucket, and for how long. */
export const rateState = (policy: Policy, { remaining, resetSeconds }: Decision): string =>
  `"${policy}";r=${digits(remaining)};t=${resetSeconds}`;

/**
 * A count in decimal. V8 keeps the texts of the numbers that it has written, thousands of them, among its old objects. With a limit of
 * a million that is one more for each request, and all of memory is searched for garbage every few seconds; so a large number is
 * put together from texts of three digits.
 */
export function digits(count: number): string {
  if (count < 1000) return String(count);
  const last = count % 1000;
  return digits((count - last) / 1000) + String(last).padStart(3, '0');
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
      return `More than ${limit} tokens were issued to this client in a minute. Each is valid for an hour; use it again.`;
    case 'refused':
      return `More than ${limit} requests with an invalid token came from this address in a minute, so no token from it is checked for now, not even a valid one. To read without waiting, leave out the Authorization header.`;
    default:
      return `More than ${limit} requests came in a minute.`;
  }
}
