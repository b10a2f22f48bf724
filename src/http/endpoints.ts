/** Endpoints other than the API's operations, such as pages and files, and the table that finds a value by path. */
import { TrieRouter } from 'hono/router/trie-router';
import type { ApiError } from '../base/api-error.ts';
import type { Answer, LazyAnswer, StreamedAnswer } from './answer.ts';
import type { Exchange } from './exchange.ts';
import type { Rendition } from './renditions.ts';
import type { State } from './state.ts';

/** The response of an endpoint, in one of four forms. */
export type Reply = Answer | LazyAnswer | StreamedAnswer | Rendition;

/**
 * Returns the response to a request, created from one state; `parameters` are those in its path, decoded. An error that it throws
 * or rejects with is sent as a failure.
 */
export type EndpointHandler = (
  exchange: Exchange,
  parameters: Readonly<Record<string, string>>,
  state: State,
) => Reply | Promise<Reply>;

/** Returns an error like `error` with the fields of its path's protocol, such as OAuth or JSON-RPC. */
export type ErrorMapper = (error: ApiError, state: State, exchange: Exchange) => ApiError;

/** A path, and the handler of each of its methods. */
export interface Endpoint {
  /** The path in the router's syntax, such as `/docs/:slug{.+\\.md}`. */
  readonly path: string;
  /** The handlers by method. HEAD is handled as GET; any other method without a handler, except OPTIONS, is refused with 405. */
  readonly methods: Readonly<Partial<Record<'GET' | 'POST' | 'DELETE', EndpointHandler>>>;
  /** Adds the fields of another protocol (OAuth, JSON-RPC) to any error on this path; without it, errors stay as they are. */
  readonly mapError?: ErrorMapper;
}

/** A value of the table, with the parameters of the path. */
export interface PathMatch<T> {
  readonly value: T;
  /** The parameters in the path, decoded. */
  readonly parameters: Readonly<Record<string, string>>;
}

/**
 * Creates a table of values by path, in the router's syntax, and returns its lookup. The first path that matches wins; the lookup
 * returns null if none does, or if a parameter is not percent-encoded UTF-8.
 */
export function createPathTable<T>(
  entries: Iterable<readonly [path: string, value: T]>,
): (path: string) => PathMatch<T> | null {
  const router = new TrieRouter<T>();
  for (const [path, value] of entries) router.add('ALL', path, value);
  return (path) => {
    const [[handler] = []] = router.match('ALL', path);
    if (handler === undefined) return null;
    const [value, encoded] = handler;
    try {
      const parameters = Object.entries(encoded).map(([name, text]) => [name, decodeURIComponent(String(text))]);
      return { value, parameters: Object.fromEntries(parameters) };
    } catch {
      return null;
    }
  };
}

/** Returns whether a response is a rendition. */
export const isRendition = (reply: Reply): reply is Rendition => 'coded' in reply;

/** Returns whether the bytes of a response are created while they are sent. */
export const isStreamed = (reply: Answer | LazyAnswer | StreamedAnswer): reply is StreamedAnswer => 'stream' in reply;

/** Returns whether the bytes of a response are created only if they are sent. */
export const isLazy = (reply: Answer | LazyAnswer): reply is LazyAnswer => typeof reply.body === 'function';
