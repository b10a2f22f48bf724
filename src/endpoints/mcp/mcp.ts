/** Serves MCP over HTTP: the checks of the transport, and the dispatcher's results as responses. */

import { ApiError } from '../../base/api-error.ts';
import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import { isLoopback } from '../../base/loopback.ts';
import type { Answer } from '../../http/answer.ts';
import { parseJson, readBody, requireMediaType } from '../../http/body.ts';
import type { Endpoint, EndpointHandler } from '../../http/endpoints.ts';
import { type Exchange, readHeader } from '../../http/exchange.ts';
import type { CountSearch } from '../../http/fast-path.ts';
import { chooseAccepted } from '../../http/negotiation.ts';
import type { State } from '../../http/state.ts';
import { createDispatcher, type Dispatch } from '../../mcp/dispatcher.ts';
import { rpcCodes } from '../../mcp/protocol.ts';
import { createMcpServer, getServerInfo, type ServerDefinition } from '../../mcp/servers.ts';
import type { Context, Service } from '../../operations/context.ts';
import { encodeText } from '../../operations/representation.ts';
import { type KeyTables, readIdempotencyKey, runOnce } from '../api/idempotency.ts';

/** The parts that the MCP endpoints consist of. */
export interface McpOptions {
  readonly service: Service;
  readonly servers: readonly ServerDefinition[];
  readonly clock: Clock;
  readonly log: Log;
  readonly keys: KeyTables;
  readonly countSearch: CountSearch;
}

/** Creates the endpoints of the MCP servers, two for each: at its path, and at its path with a slash at the end. */
export function createMcpEndpoints(options: McpOptions): Endpoint[] {
  const requireLocal = createLocalGuard(options.service.baseUrl);
  return options.servers.flatMap((definition) =>
    // Other MCP servers have URLs with a final slash, so people type one here as well.
    [definition.path, `${definition.path}/`].map((path) => ({
      path,
      methods: { POST: createPost(options, definition, requireLocal) },
      mapError: (error: ApiError, state: State) => toRpcError(error, definition, state.production),
    })),
  );
}

const json = 'application/json; charset=utf-8';
const formats = ['application/json', 'text/event-stream'];
/** Headers of a stream of one event, for a client that reads nothing else. */
const eventHeaders = { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' };

function createPost(
  { clock, log, keys, countSearch }: McpOptions,
  definition: ServerDefinition,
  requireLocal: (exchange: Exchange) => void,
): EndpointHandler {
  const findDispatcher = createDispatchers(definition, clock);
  return async (exchange, _, state) => {
    requireLocal(exchange);
    const key = readIdempotencyKey(exchange);
    const body = await readBody(exchange);
    requireMediaType(exchange, 'application/json');
    const format = chooseAccepted(readHeader(exchange, 'accept'), formats);
    if (format === null) throw createNotAcceptable();
    const dispatch = findDispatcher(state.production);
    const request = { headers: (name: string) => readHeader(exchange, name), body, requestId: exchange.id };
    const keyedRequest = { exchange, keys, clock, key, body: key === null ? null : toComparable(body) };
    const { result, replayed } = await runOnce(keyedRequest, async () => dispatch(request));
    for (const failure of result.failures) {
      log.error({ request_id: exchange.id, err: failure.options.cause }, 'request failed');
    }
    for (const search of result.searches) countSearch(search);
    const [error] = result.failures;
    const isEvent = format === 'text/event-stream';
    const content = encodeText(
      result.body !== '' && isEvent ? `event: message\ndata: ${result.body}\n\n` : result.body,
    );
    const type = isEvent ? eventHeaders : { 'content-type': json };
    return {
      status: result.status,
      headers: { ...(result.body !== '' && type), ...(replayed && { 'idempotent-replayed': 'true' }) },
      cache: 'none',
      body: content.bytes,
      encoded: true,
      etag: content.etag,
      ...(error !== undefined && { error }),
    } satisfies Answer;
  };
}

/**
 * Returns a function that returns the dispatcher of a context, which it creates at the first call with this context: what a
 * dispatcher prepares depends on the content.
 */
function createDispatchers(definition: ServerDefinition, clock: Clock): (context: Context) => Dispatch {
  const cache = new WeakMap<Context, Dispatch>();
  return (context) => {
    const cachedDispatch = cache.get(context);
    if (cachedDispatch !== undefined) return cachedDispatch;
    const dispatch = createDispatcher(createMcpServer(definition, context), clock);
    cache.set(context, dispatch);
    return dispatch;
  };
}

/**
 * Returns what a repetition with the same idempotency key must equal: the parsed message, or for a body that is not JSON its bytes
 * as latin1 text.
 */
function toComparable(body: Buffer): unknown {
  try {
    return parseJson(body);
  } catch {
    return body.toString('latin1');
  }
}

const createNotAcceptable = (): ApiError =>
  new ApiError('not_acceptable', 'Accept must allow application/json or text/event-stream; MCP clients send both.', {
    headers: { vary: 'Accept' },
  });

/**
 * Returns a copy of the failure with the members of a JSON-RPC error, whose id is null, and without `next` and OAuth's
 * `error_description`. A wrong method usually is a person in a browser, so its message is instructions for connecting.
 */
function toRpcError(error: ApiError, definition: ServerDefinition, context: Context): ApiError {
  const detail = error.code === 'method_not_allowed' ? explainConnecting(definition, context) : error.message;
  const { next: _, members, ...options } = error.options;
  // The object `error` of JSON-RPC replaces OAuth’s text `error`, which WWW-Authenticate still contains.
  const { error_description: __, ...others } = members ?? {};
  const code = error.status >= 500 ? rpcCodes.internalError : rpcCodes.invalidRequest;
  return new ApiError(error.code, detail, {
    ...options,
    members: { ...others, jsonrpc: '2.0', id: null, error: { code, message: detail } },
  });
}

function explainConnecting(definition: ServerDefinition, context: Context): string {
  const url = context.service.baseUrl + definition.path;
  return `This is an MCP server: it accepts JSON-RPC messages by POST (Streamable HTTP). Add ${url} to your MCP client, for example with: claude mcp add --transport http ${getServerInfo(definition, context).name} ${url}. It needs no credential. ${context.service.baseUrl}/developers says more.`;
}

/**
 * Creates the check for a server at a loopback address. It throws `forbidden_origin` for requests whose Host or Origin, if sent,
 * names no loopback host: a web page could make its own name resolve to this machine and read the responses (DNS rebinding; MCP
 * basic/transports, Security). If the server has any other address, its data is public, and the check does nothing.
 */
function createLocalGuard(baseUrl: string): (exchange: Exchange) => void {
  if (!isLoopback(new URL(baseUrl).hostname)) return () => {};
  const isLocal = (url: string): boolean => isLoopback(URL.parse(url)?.hostname ?? '');
  return (exchange) => {
    const [host, origin] = [readHeader(exchange, 'host'), readHeader(exchange, 'origin')];
    const foreign =
      host !== '' && !isLocal(`http://${host}`) ? 'Host' : origin !== '' && !isLocal(origin) ? 'Origin' : '';
    if (foreign === '') return;
    throw new ApiError(
      'forbidden_origin',
      `This server runs at ${baseUrl} and accepts only requests for that host; ${foreign} is a different one. Set BASE_URL to serve it under that name.`,
    );
  };
}
