/** The response of a route as plain data, to which the writer adds the headers of every response. */
import type { Readable } from 'node:stream';
import type { ApiError } from '../base/api-error.ts';
import { createProblemDocument } from '../operations/problem.ts';

/** A response whose body is known. */
export interface Answer {
  readonly status: number;
  /** Headers by lower-case names, without Cache-Control, which `cache` decides. */
  readonly headers: Readonly<Record<string, string>>;
  readonly cache: Cacheability;
  readonly body: string | Buffer;
  /** Whether the body is a latin1 string with one character per byte; otherwise a string is sent as UTF-8. */
  readonly encoded?: true;
  /** The strong entity tag with its quotes; by default the writer hashes the body. */
  readonly etag?: string;
  /** The failure, for the log; absent without one. */
  readonly error?: ApiError;
}

/** A response whose entity tag is known before its bytes, which a 304 does not need. */
export interface LazyAnswer extends Omit<Answer, 'body' | 'etag'> {
  readonly etag: string;
  /** Returns the body. If the promise rejects, nothing has been sent, and a failure is sent instead. */
  body(): Promise<string | Buffer>;
}

/** A response that is too large for memory: its bytes are created while they are sent, as fast as the client reads them. */
export interface StreamedAnswer extends Omit<Answer, 'body' | 'etag'> {
  readonly etag: string;
  /** Total size in bytes, or null if it is not known in advance. */
  readonly length: number | null;
  stream(): Readable;
}

/** The caching of a response: `content` changes with the content, `immutable` never, and `none` is not cached. */
export type Cacheability = 'content' | 'immutable' | 'none';

/** Returns the Cache-Control of a response. Content for a request with an Authorization header is for its client only. */
export function writeCacheControl(cache: Cacheability, isAuthorized: boolean): string {
  switch (cache) {
    case 'content':
      return isAuthorized
        ? 'private, no-cache'
        : 'public, max-age=60, s-maxage=300, stale-while-revalidate=300, stale-if-error=604800';
    case 'immutable':
      return 'public, max-age=31536000, immutable';
    case 'none':
      return 'no-store';
  }
}

/** The request that failed, as far as its problem document depends on it. */
export interface FailedRequest {
  /** The server's own ID of the request. */
  readonly id: string;
  /** The path that is routed; it determines whether the problem is one of the sandbox. */
  readonly path: string;
  /** The request target as the client sent it, whose path becomes the problem's `instance`. */
  readonly target: string;
}

/**
 * Returns the response of a failure, which is not cached: its problem document as JSON, with Retry-After and headers of the error.
 */
export function createProblemAnswer(error: ApiError, { id, path, target }: FailedRequest, baseUrl: string): Answer {
  const place = {
    baseUrl,
    instance: getPath(target).slice(0, maxInstance),
    requestId: id,
    sandbox: isSandboxPath(path),
  };
  const { retryAfter, headers } = error.options;
  return {
    status: error.status,
    headers: {
      'content-type': 'application/problem+json',
      ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
      ...headers,
    },
    cache: 'none',
    body: JSON.stringify(createProblemDocument(error, place)),
    error,
  };
}

/** Maximum length of a problem's `instance`, in characters. */
const maxInstance = 16_384;

/** Returns the path of a request target as the client sent it, without origin and query, or `/` if it has none. */
export const getPath = (target: string): string => target.replace(/^https?:\/\/[^/?#]*|[?#].*$/gis, '') || '/';

/**
 * Values of Vary. Pages and files ignore tokens; the API, MCP and OAuth check them, and what they refuse or mark as private
 * is only for the token's holder.
 */
export const vary = {
  page: 'Accept, Accept-Encoding',
  file: 'Accept-Encoding',
  resource: 'Accept, Authorization, Accept-Encoding',
  document: 'Authorization, Accept-Encoding',
} as const;

/**
 * Returns whether a path belongs to the sandbox: it is `/api/v1/sandbox` (its API) or `/sandbox` (its pages), or below one of them.
 */
export const isSandboxPath = (path: string): boolean => isBelow('/api/v1/sandbox', path) || isSandboxPage(path);

/** Returns whether a path is `/sandbox` or below it: a page of the sandbox, to which its responses link. */
export const isSandboxPage = (path: string): boolean => isBelow('/sandbox', path);

const isBelow = (root: string, path: string): boolean =>
  path.startsWith(root) && (path.length === root.length || path[root.length] === '/');
