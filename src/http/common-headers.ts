/** The headers that responses share, whoever writes them: the writer, the parser's refusals, the operator's own listeners. */
import { etagOf } from '../base/entity-tag.ts';
import type { Decision } from '../limits/sliding-window.ts';
import { responseHeaderNames } from '../operations/response-headers.ts';
import { isSandboxPath } from './answer.ts';
import type { Policy } from './exchange.ts';
import { rateHeaders } from './rate.ts';

export type SetHeader = (name: string, value: string) => void;

export interface CommonFacts {
  /** The request's id. */
  readonly id: string;
  readonly path: string;
  readonly apiVersion: string;
  readonly policy: Policy;
  readonly decision: Decision | null;
  readonly etag: string;
  /** Of the body; null where the response has none. */
  readonly length: number | null;
  /** What the API version of the path adds: Deprecation, Sunset and Link. */
  readonly version: Readonly<Record<string, string>>;
}

/** On every response of the public listener. `own`: those of the response itself, by lower-case names. */
export function setHeaders(facts: CommonFacts, own: Readonly<Record<string, string>>, set: SetHeader): void {
  const { path, decision, version } = facts;
  const crossOrigin = path !== '/oauth/authorize';
  set('x-request-id', facts.id);
  set('api-version', facts.apiVersion);
  for (const [name, value] of Object.entries(own)) {
    if (name !== 'link' && (crossOrigin || !name.startsWith('access-control-'))) set(name, value);
  }
  set('etag', facts.etag);
  if (isSandboxPath(path)) set('x-service-environment', 'sandbox');
  if (facts.length !== null) set('content-length', String(facts.length));
  if (decision !== null) rateHeaders(facts.policy, decision, set);
  for (const [name, value] of Object.entries(version)) if (name !== 'link') set(name, value);
  const link = [own.link, version.link].filter((value) => value !== undefined).join(', ');
  if (link !== '') set('link', link);
  if (crossOrigin) {
    set('access-control-allow-origin', '*');
    set('access-control-expose-headers', exposed);
  }
  set('x-content-type-options', 'nosniff');
}

const exposed = responseHeaderNames.join(', ');

const allowedHeaders =
  'Authorization, Content-Type, Accept, If-None-Match, Idempotency-Key, Prefer, X-Request-Id, MCP-Protocol-Version, MCP-Session-Id, Mcp-Method, Mcp-Name, Last-Event-ID, traceparent, tracestate';

/** What a browser asks before it sends a request across origins. */
export const preflightHeaders: Readonly<Record<string, string>> = {
  'access-control-allow-methods': 'GET, HEAD, POST, DELETE, OPTIONS',
  'access-control-allow-headers': allowedHeaders,
  'access-control-max-age': '86400',
};

/** Of what the operator's listener and `colophon dev` answer themselves: for one reader, and never kept. */
export const privateHeaders = (type: string, body: string): Record<string, string> => ({
  'content-type': type,
  'content-length': String(Buffer.byteLength(body)),
  'cache-control': 'no-store',
  etag: etagOf(body),
  'x-content-type-options': 'nosniff',
});
