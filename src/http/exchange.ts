/** One request and its response, with everything that is known before a route handles it. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Decision } from '../limits/sliding-window.ts';
import type { Principal } from '../oauth/verify.ts';
import type { RateLimits } from '../operations/context.ts';

/** The name of a rate limit, as in the RateLimit headers. */
export type Bucket = keyof RateLimits;

/** One request and its response. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The server's own ID of this request. */
  readonly id: string;
  /** When the headers were read, in monotonic milliseconds; `endedAt` is when the response was passed to Node, and 0 before. */
  readonly startedAt: number;
  endedAt: number;
  readonly method: string;
  /** The path that is routed, with unreserved characters decoded; `/` until the gate has read the target. */
  path: string;
  /** The query without its `?`; empty if there is none. */
  query: string;
  /** The client's address, after trusted proxies; empty if the connection has closed. */
  readonly address: string;
  /** The holder of the token in the Authorization header, or null without a token and on paths that ignore it. */
  principal: Principal | null;
  /** The bucket that counts the request, or the further limit that refused it. */
  bucket: Bucket;
  /** The outcome of the request in `bucket`, or null before there is one. */
  decision: Decision | null;
  /** The template of the route, for the log and the metrics, or `none` if no endpoint handles the request. */
  route: string;
}

/**
 * Returns the value of the header with this lower-case name, or an empty text if it was not sent. Several values are joined as RFC
 * 9110 section 5.3 allows, except for headers of which Node keeps only the first, such as Authorization.
 */
export function readHeader(exchange: Exchange, name: string): string {
  const value = exchange.request.headers[name];
  return Array.isArray(value) ? value.join(', ') : (value ?? '');
}
