/** Which bucket a request counts in, and what the RateLimit headers say of it. */
import type { Decision } from '../limits/sliding-window.ts';
import { isSandboxPath } from './answer.ts';
import type { Bucket } from './exchange.ts';

/** The window of every bucket, in seconds. */
const windowSeconds = 60;

const apiPaths = /^\/(api|mcp|oauth|agent|\.well-known)(\/|$)|^\/(openapi\.json|auth\.md)$/;

/** By path alone: a token may lift `anonymous` to `authenticated` later. */
export function bucketOf(path: string): Bucket {
  if (isSandboxPath(path)) return 'sandbox';
  return apiPaths.test(path) ? 'anonymous' : 'pages';
}

/** The three RateLimit-… fields that most clients read, and the structured pair of draft-ietf-httpapi-ratelimit-headers. */
export function rateHeaders(bucket: Bucket, decision: Decision, set: (name: string, value: string) => void): void {
  const { limit, remaining, resetSeconds } = decision;
  set('ratelimit-limit', String(limit));
  set('ratelimit-remaining', String(remaining));
  set('ratelimit-reset', String(resetSeconds));
  set('ratelimit-policy', `"${bucket}";q=${limit};w=${windowSeconds}`);
  set('ratelimit', `"${bucket}";r=${remaining};t=${resetSeconds}`);
}
