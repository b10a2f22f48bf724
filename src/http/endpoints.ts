/** Everything that is not an operation of the API: files, pages, documents; a table of paths and handlers. */
import { TrieRouter } from 'hono/router/trie-router';
import type { ApiError } from '../base/api-error.ts';
import type { Answer, LazyAnswer, StreamedAnswer } from './answer.ts';
import type { Exchange } from './exchange.ts';
import type { Rendition } from './renditions.ts';
import type { State } from './state.ts';

export type Reply = Answer | LazyAnswer | StreamedAnswer | Rendition;

export type EndpointHandler = (
  exchange: Exchange,
  parameters: Readonly<Record<string, string>>,
  state: State,
) => Reply | Promise<Reply>;

export type ErrorMapper = (error: ApiError, state: State, exchange: Exchange) => ApiError;

export interface Endpoint {
  /** In the router's syntax, such as `/docs/:slug{.+\\.md}`. */
  readonly path: string;
  readonly methods: Readonly<Partial<Record<'GET' | 'POST' | 'DELETE', EndpointHandler>>>;
  /** Adds the fields of another protocol (OAuth, JSON-RPC) to any error on this path. */
  readonly mapError?: ErrorMapper;
}

export interface EndpointMatch {
  readonly endpoint: Endpoint;
  readonly parameters: Readonly<Record<string, string>>;
}

/** The first endpoint of the list that matches wins. */
export function createEndpointTable(endpoints: readonly Endpoint[]): (path: string) => EndpointMatch | null {
  const router = new TrieRouter<Endpoint>();
  for (const endpoint of endpoints) router.add('ALL', endpoint.path, endpoint);
  const find = (path: string): EndpointMatch | null => {
    const [[handler] = []] = router.match('ALL', path);
    if (handler === undefined) return null;
    const [endpoint, found] = handler;
    try {
      const parameters = Object.entries(found).map(([name, value]) => [name, decodeURIComponent(String(value))]);
      return { endpoint, parameters: Object.fromEntries(parameters) };
    } catch {
      return null;
    }
  };
  // Most paths have no parameter, and a look-up is ten times as fast as the router.
  const fixed = new Map(endpoints.map(({ path }) => [path, path.includes(':') ? null : find(path)]));
  return (path) => fixed.get(path) ?? find(path);
}

export const isRendition = (reply: Reply): reply is Rendition => 'coded' in reply;

export const isStreamed = (reply: Answer | LazyAnswer | StreamedAnswer): reply is StreamedAnswer => 'stream' in reply;

export const isLazy = (reply: Answer | LazyAnswer): reply is LazyAnswer => typeof reply.body === 'function';
