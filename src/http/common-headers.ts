/** The headers that responses share: those of the writer, of the parser's refusals, and of the operator's own listeners. */
import { createEtag } from '../base/entity-tag.ts';
import { responseHeaderNames } from '../operations/response-headers.ts';
import { isSandboxPath } from './answer.ts';
import type { Exchange } from './exchange.ts';
import { formatRateLimit, getWindowSeconds } from './rate.ts';

type Headers = Readonly<Record<string, string>>;

/** The parts of a response that its headers are made from. */
export interface ResponseHead {
  readonly apiVersion: string;
  readonly etag: string;
  /** Size of the body in bytes, or null if the response has no body or its size is not known. */
  readonly length: number | null;
  /** The response's own headers, by lower-case names. */
  readonly headers: Headers;
  /** Headers of the API version of the path: Deprecation, Sunset and Link; empty for a current version and for other paths. */
  readonly version: Headers;
}

/**
 * Returns the headers of a response of the public listener, names and values in turn; without a `decision`, there are none of the
 * rate limit. The path decides whether other origins may read the response (all but /oauth/authorize) and whether it is marked as
 * the sandbox's.
 */
export function listHeaders(
  { id, path, bucket, decision }: Pick<Exchange, 'id' | 'path' | 'bucket' | 'decision'>,
  { apiVersion, etag, length, headers, version }: ResponseHead,
): string[] {
  const isCrossOrigin = path !== '/oauth/authorize';
  const list = ['x-request-id', id, 'api-version', apiVersion];
  for (const [name, value] of Object.entries(headers)) {
    if (name !== 'link' && (isCrossOrigin || !name.startsWith('access-control-'))) list.push(name, value);
  }
  list.push('etag', etag);
  if (isSandboxPath(path)) list.push('x-service-environment', 'sandbox');
  if (length !== null) list.push('content-length', String(length));
  if (decision !== null) {
    // Most clients read the limit, remaining and reset; the policy and `ratelimit` are from draft-ietf-httpapi-ratelimit-headers.
    const { limit, remaining, resetSeconds } = decision;
    list.push('ratelimit-limit', String(limit));
    list.push('ratelimit-policy', `"${bucket}";q=${limit};w=${getWindowSeconds(bucket)}`);
    list.push('ratelimit-remaining', String(remaining));
    list.push('ratelimit-reset', String(resetSeconds));
    list.push('ratelimit', formatRateLimit(bucket, decision));
  }
  for (const [name, value] of Object.entries(version)) if (name !== 'link') list.push(name, value);
  const link = [headers.link, version.link].filter((value) => value !== undefined).join(', ');
  if (link !== '') list.push('link', link);
  if (isCrossOrigin) list.push('access-control-allow-origin', '*', 'access-control-expose-headers', exposedNames);
  list.push('x-content-type-options', 'nosniff');
  return list;
}

const exposedNames = responseHeaderNames.join(', ');

const allowedHeaders =
  'Authorization, Content-Type, Accept, If-None-Match, Idempotency-Key, Prefer, X-Request-Id, MCP-Protocol-Version, MCP-Session-Id, Mcp-Method, Mcp-Name, Last-Event-ID, traceparent, tracestate';

/** The headers of a response to a preflight, which a browser sends before a request across origins. */
export const preflightHeaders: Readonly<Record<string, string>> = {
  'access-control-allow-methods': 'GET, HEAD, POST, DELETE, OPTIONS',
  'access-control-allow-headers': allowedHeaders,
  'access-control-max-age': '86400',
};

/**
 * Returns the headers of responses of the admin listener and of `colophon dev`, which are for one reader and never cached; `type`
 * is the Content-Type.
 */
export const createPrivateHeaders = (type: string, body: string): Record<string, string> => ({
  'content-type': type,
  'content-length': String(Buffer.byteLength(body)),
  'cache-control': 'no-store',
  etag: createEtag(body),
  'x-content-type-options': 'nosniff',
});
