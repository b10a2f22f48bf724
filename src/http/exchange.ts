/** One request and what is known of it before any route looks at it. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Decision } from '../limits/sliding-window.ts';
import type { Principal } from '../oauth/verify.ts';
import type { RateLimits } from '../operations/context.ts';

/** The names of the rate limits, as the RateLimit headers carry them. */
export type Bucket = keyof RateLimits;

export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The server's own id of this request. */
  readonly id: string;
  /** Monotonic milliseconds, when its headers were read and when its response left. */
  readonly startedAt: number;
  endedAt: number;
  readonly method: string;
  /** The path that is routed, unreserved characters decoded; '/' until the gate has read the target. */
  path: string;
  /** What follows the `?`, or ''. */
  query: string;
  /** The client's address, after trusted proxies. */
  readonly address: string;
  /** Whoever the token in the Authorization header speaks for; null without one, and where tokens do not count. */
  principal: Principal | null;
  /** The bucket that it counts in, or the further limit that refused it. */
  bucket: Bucket;
  decision: Decision | null;
  /** The route's template, for the log. */
  route: string;
}

/** A header's value when it was sent once, '' when it was not; several are joined as RFC 9110 section 5.3 allows. */
export function header(exchange: Exchange, name: string): string {
  const value = exchange.request.headers[name];
  return Array.isArray(value) ? value.join(', ') : (value ?? '');
}
