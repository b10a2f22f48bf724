/** What happens to a request, in order: gate, fast path, endpoint, response. Requests to the API continue in api/api.ts. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApiError } from '../base/api-error.ts';
import type { Clock } from '../base/clock.ts';
import { hostName } from '../base/host-name.ts';
import type { Log } from '../base/log.ts';
import { type Answer, isSandboxPath, problemAnswer } from '../http/answer.ts';
import { clientAddress, type ProxyTrust } from '../http/client-address.ts';
import { wantsPart } from '../http/conditional-range.ts';
import { createEndpointTable, type Endpoint, isLazy, isRendition, isStreamed, type Reply } from '../http/endpoints.ts';
import { type Exchange, header } from '../http/exchange.ts';
import { type CountSearch, createFastPath } from '../http/fast-path.ts';
import type { Gate } from '../http/gate.ts';
import type { Load } from '../http/load.ts';
import { acceptedCoding } from '../http/negotiation.ts';
import { isPagePath } from '../http/rate.ts';
import type { Rendition } from '../http/renditions.ts';
import type { State } from '../http/state.ts';
import { findTraceId } from '../http/trace-context.ts';
import type { Writer } from '../http/writer.ts';
import { asApiError } from '../operations/call.ts';
import type { Service } from '../operations/context.ts';
import type { Api } from './api/api.ts';
import { createOptionsAnswer, methodNotAllowed } from './api/routes.ts';

export interface HandlerOptions {
  readonly service: Service;
  readonly clock: Clock;
  /** What answers below /api. */
  readonly api: Api;
  /** Returns the template of an API path's route, or '' if there is none. */
  findApiRoute(path: string): string;
  readonly log: Log;
  readonly gate: Gate;
  readonly writer: Writer;
  readonly load: Pick<Load, 'begin' | 'end'>;
  readonly endpoints: readonly Endpoint[];
  readonly trust: ProxyTrust;
  /** The host name that serves only the MCP servers, as `hostName` returns it, or null if there is none. */
  readonly mcpHost: string | null;
  readonly newId: () => string;
  state(): State;
  /** Counts a search that got a response. */
  readonly countSearch: CountSearch;
  /** The page for people where a request to the site fails, or null to send a problem document. */
  failurePage(error: ApiError, exchange: Exchange, state: State): Answer | null;
}

export function createHandler(options: HandlerOptions): (request: IncomingMessage, response: ServerResponse) => void {
  const { service, clock, log, writer, load } = options;
  const findEndpoint = createEndpointTable(options.endpoints);
  const route = createRouter(options, findEndpoint);
  const fastPath = createFastPath(writer, options.countSearch);

  return (request, response) => {
    const exchange = openExchange(options, request, response);
    try {
      const admitted = options.gate(exchange, () => fastPath.has(exchange, options.state()));
      if (admitted instanceof ApiError) return refuse(exchange, admitted);
      if (admitted === undefined && answerReady(exchange)) return;
      response.on('error', (error) => log.warn({ request_id: exchange.id, err: error }, 'response failed'));
      const served = admitted === undefined ? respond(exchange) : admitted.then(() => serve(exchange));
      if (served === undefined) return;
      load.begin();
      served.catch((error) => fail(exchange, error)).finally(load.end);
    } catch (error) {
      fail(exchange, error);
    }
  };

  /** After an admission that waited, for a token or for counters that others share. */
  function serve(exchange: Exchange): void | Promise<void> {
    if (!answerReady(exchange)) return respond(exchange);
  }

  /** What is kept is that of the whole service. */
  function answerReady(exchange: Exchange): boolean {
    return !isMcpAlone(options, exchange) && fastPath.answer(exchange, options.state());
  }

  function respond(exchange: Exchange): void | Promise<void> {
    // What is ready does not wait for what has to be made.
    if (exchange.method !== 'POST') writer.flush();
    const state = options.state();
    const made = route(exchange);
    if (made instanceof Promise) return made.then((reply) => write(exchange, state, reply));
    return write(exchange, state, made);
  }

  function write(exchange: Exchange, state: State, reply: Reply): void | Promise<void> {
    if (isRendition(reply)) return writeRendition(exchange, state, reply);
    if (isStreamed(reply)) return writer.streamedAnswer(exchange, reply);
    if (isLazy(reply)) return writer.lazyAnswer(exchange, reply);
    writer.answer(exchange, reply);
  }

  function writeRendition(exchange: Exchange, state: State, rendition: Rendition): void | Promise<void> {
    const stale = rendition.needsFeed && options.state().production.feedStatus().state === 'stale';
    const extra = stale && !isSandboxPath(exchange.path) ? { 'cache-status': '"feed"; hit; detail=stale' } : {};
    const isPart = wantsPart(exchange, rendition.headers);
    const coding = isPart ? 'identity' : acceptedCoding(header(exchange, 'accept-encoding'));
    const send = (): void => {
      writer.rendition(exchange, rendition, coding, extra);
      if (!isPart) fastPath.keep(exchange, state, rendition, coding);
      if (rendition.search !== null && exchange.method === 'GET') options.countSearch(rendition.search);
    };
    const compressing = rendition.compress(coding);
    return compressing === null ? send() : compressing.then(send);
  }

  /** In the terms of the path's protocol. */
  function mapped(exchange: Exchange, error: ApiError): ApiError {
    return findEndpoint(exchange.path)?.endpoint.mapError?.(error, options.state(), exchange) ?? error;
  }

  /** Never as a page: there is no time to make one, or nobody who reads it. */
  function refuse(exchange: Exchange, error: ApiError): void {
    nameRoute(exchange);
    writer.answer(exchange, problem(exchange, mapped(exchange, error)));
  }

  function fail(exchange: Exchange, thrown: unknown): void {
    nameRoute(exchange);
    const error = mapped(exchange, asApiError(thrown));
    if (error.status >= 500 && error.options.cause !== undefined) {
      const traceId = findTraceId(exchange.request);
      const fields = { request_id: exchange.id, ...(traceId !== null && { trace_id: traceId }) };
      log.error({ ...fields, err: error.options.cause }, 'request failed');
    }
    if (exchange.response.headersSent) {
      exchange.response.destroy();
      return;
    }
    const isRead = exchange.method === 'GET' || exchange.method === 'HEAD';
    const page =
      isRead && isPagePath(exchange.path) && !isMcpAlone(options, exchange)
        ? options.failurePage(error, exchange, options.state())
        : null;
    writer.answer(exchange, page ?? problem(exchange, error));
  }

  function problem({ id, path, request }: Exchange, error: ApiError): Answer {
    return problemAnswer(error, { id, path, target: request.url ?? '/' }, service.baseUrl);
  }

  /** Names the route of a request that was refused before routing, so that the log and the metrics show which endpoint fails. */
  function nameRoute(exchange: Exchange): void {
    const { route, path, request } = exchange;
    // Until the gate has read the target, the path is only assumed.
    if (route !== '' || (path === '/' && !/^\/(?:\?|$)/.test(request.url ?? ''))) return;
    exchange.route = path.startsWith('/api/') ? options.findApiRoute(path) : (findEndpoint(path)?.endpoint.path ?? '');
  }

  function openExchange(
    { newId, trust }: HandlerOptions,
    request: IncomingMessage,
    response: ServerResponse,
  ): Exchange {
    return {
      request,
      response,
      id: newId(),
      startedAt: clock.monotonic(),
      endedAt: 0,
      method: request.method ?? 'GET',
      path: '/',
      query: '',
      address: clientAddress(request, trust),
      principal: null,
      policy: 'anonymous',
      decision: null,
      route: '',
    };
  }
}

/** Whether the request was sent to the host name that serves the MCP servers and nothing else. */
const isMcpAlone = ({ mcpHost }: HandlerOptions, exchange: Exchange): boolean =>
  mcpHost !== null && hostName(header(exchange, 'host')) === mcpHost;

/** The route of a request and what it gives. */
function createRouter(
  options: HandlerOptions,
  findEndpoint: ReturnType<typeof createEndpointTable>,
): (exchange: Exchange) => Reply | Promise<Reply> {
  const { service, api } = options;

  return (exchange) => {
    const { path } = exchange;
    const state = options.state();
    if (path === '*' && exchange.method === 'OPTIONS') return createOptionsAnswer(['GET', 'POST']);
    if (isMcpAlone(options, exchange) && !/^\/mcp(?:\/|$)/.test(path)) {
      throw new ApiError(
        'not_found',
        `Only MCP is served here, at /mcp and /mcp/docs. Everything else is at ${service.baseUrl}.`,
      );
    }
    const [, version] = /^\/api\/([^/]+)/.exec(path) ?? [];
    if (version !== undefined) return api(exchange, state, version);
    const match = findEndpoint(path);
    if (match === null) {
      throw new ApiError(
        'not_found',
        `There is nothing at this path. GET ${service.baseUrl}/api/v1 lists every endpoint.`,
      );
    }
    exchange.route = match.endpoint.path;
    const { methods } = match.endpoint;
    const allowed = Object.keys(methods);
    if (exchange.method === 'OPTIONS') return createOptionsAnswer(allowed);
    const method = exchange.method === 'HEAD' ? 'GET' : exchange.method;
    const handler = method === 'GET' || method === 'POST' || method === 'DELETE' ? methods[method] : undefined;
    if (handler === undefined) throw methodNotAllowed(exchange.method, allowed);
    return handler(exchange, match.parameters, state);
  };
}
