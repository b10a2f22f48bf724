/** Handles a request: gate, fast path, endpoint, response. Requests to the API continue in api/api.ts. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApiError } from '../base/api-error.ts';
import type { Clock } from '../base/clock.ts';
import { normalizeHostName } from '../base/host-name.ts';
import type { Log } from '../base/log.ts';
import { getMessage } from '../base/thrown.ts';
import { findGuessedPath } from '../content/site-paths.ts';
import { type Answer, createProblemAnswer, isSandboxPath } from '../http/answer.ts';
import { wantsPart } from '../http/conditional-range.ts';
import {
  createPathTable,
  type Endpoint,
  type EndpointHandler,
  isLazy,
  isRendition,
  isStreamed,
  type Reply,
} from '../http/endpoints.ts';
import { type Exchange, readHeader } from '../http/exchange.ts';
import { type CountSearch, createFastPath } from '../http/fast-path.ts';
import type { Gate } from '../http/gate.ts';
import type { Load } from '../http/load.ts';
import { chooseCoding } from '../http/negotiation.ts';
import { isPagePath } from '../http/rate.ts';
import type { Rendition } from '../http/renditions.ts';
import type { State } from '../http/state.ts';
import { readTraceId } from '../http/trace-context.ts';
import type { Writer } from '../http/writer.ts';
import { toApiError } from '../operations/call.ts';
import type { Service } from '../operations/context.ts';
import type { Api } from './api/api.ts';
import { createMethodNotAllowed, createOptionsAnswer } from './api/routes.ts';

/** The services and endpoints with which the handler of `createHandler` responds to requests. */
export interface HandlerOptions {
  readonly service: Service;
  readonly clock: Clock;
  /** Handles requests below /api. */
  readonly api: Api;
  /** Returns the template of an API path's route, such as `/api/v1/docs/{slug}`, or '' if there is none. */
  findApiRoute(path: string): string;
  readonly log: Log;
  readonly gate: Gate;
  readonly writer: Writer;
  readonly load: Pick<Load, 'begin' | 'end'>;
  readonly endpoints: readonly Endpoint[];
  /** Returns the address of the client, after trusted proxies; '' if the connection has closed. */
  readAddress(request: IncomingMessage): string;
  /** The host name that serves only the MCP servers, as `normalizeHostName` returns it, or null if there is none. */
  readonly mcpHost: string | null;
  /** Returns the ID of a new request. */
  readonly newId: () => string;
  /** Returns the current state, which changes with the content and the feed. */
  state(): State;
  /** Counts a search that got a response. */
  readonly countSearch: CountSearch;
  /** Returns the page for people, or a redirect, where a request to the site fails, or null to send a problem document. */
  failurePage(error: ApiError, exchange: Exchange, state: State): Answer | null;
}

/**
 * Creates the function that handles a request, from the gate to the access log. A failure becomes a problem document or what
 * `failurePage` returns; if headers were sent already, the connection is cut.
 */
export function createHandler(options: HandlerOptions): (request: IncomingMessage, response: ServerResponse) => void {
  const { service, clock, log, writer, load, mcpHost } = options;
  const findEndpoint = createPathTable(options.endpoints.map((endpoint) => [endpoint.path, endpoint]));
  const fastPath = createFastPath(writer, options.countSearch);

  return (request, response) => {
    const exchange = openExchange(options, request, response);
    try {
      const admission = options.gate(exchange, () => fastPath.has(exchange, options.state()));
      if (admission instanceof ApiError) return writeProblem(exchange, admission);
      if (admission === undefined && answerPrepared(exchange)) return;
      response.on('error', (error) => log.warn({ request_id: exchange.id, err: error }, 'response failed'));
      const pending = admission === undefined ? respond(exchange) : respondOnceAdmitted(exchange, admission);
      if (pending === undefined) return;
      load.begin();
      pending.catch((error) => fail(exchange, error)).finally(load.end);
    } catch (error) {
      fail(exchange, error);
    }
  };

  /**
   * Responds after an admission that waited for a token, or for counters that processes share. Rejects with the error of an
   * admission that refuses, or with that of the endpoint.
   */
  async function respondOnceAdmitted(exchange: Exchange, admission: Promise<void>): Promise<void> {
    await admission;
    if (!answerPrepared(exchange)) await respond(exchange);
  }

  /**
   * Sends a prepared response if there is one, and returns whether there was. The host for MCP has none, because those of the fast
   * path belong to the whole service.
   */
  function answerPrepared(exchange: Exchange): boolean {
    return !isForMcpHost(exchange) && fastPath.answer(exchange, options.state());
  }

  function respond(exchange: Exchange): void | Promise<void> {
    // Responses that are ready are sent now, so that they do not wait for one that has to be created.
    if (exchange.method !== 'POST') writer.flush();
    const state = options.state();
    const reply = route(exchange, state);
    return reply instanceof Promise
      ? reply.then((answer) => write(exchange, state, answer))
      : write(exchange, state, reply);
  }

  function route(exchange: Exchange, state: State): Reply | Promise<Reply> {
    const { path, method } = exchange;
    if (path === '*' && method === 'OPTIONS') return createOptionsAnswer(['GET', 'POST']);
    if (isForMcpHost(exchange) && !/^\/mcp(?:\/|$)/.test(path)) {
      const detail = `Only MCP is served here, at /mcp and /mcp/docs. Everything else is at ${service.baseUrl}.`;
      throw new ApiError('not_found', detail);
    }
    const [, version] = /^\/api\/([^/]+)/.exec(path) ?? [];
    if (version !== undefined) return options.api(exchange, state, version);
    const match = findEndpoint(path);
    if (match === null) {
      throw createUnknownPathError(path, service.baseUrl);
    }
    exchange.route = writeTemplate(match.value.path);
    const handlers: Readonly<Record<string, EndpointHandler | undefined>> = match.value.methods;
    const allowedMethods = Object.keys(handlers);
    if (method === 'OPTIONS') return createOptionsAnswer(allowedMethods);
    const name = method === 'HEAD' ? 'GET' : method;
    const handler = allowedMethods.includes(name) ? handlers[name] : undefined;
    if (handler === undefined) throw createMethodNotAllowed(method, allowedMethods);
    return handler(exchange, match.parameters, state);
  }

  function write(exchange: Exchange, state: State, reply: Reply): void | Promise<void> {
    if (isRendition(reply)) return writeRendition(exchange, state, reply);
    if (isStreamed(reply)) return writer.streamedAnswer(exchange, reply);
    if (isLazy(reply)) return writer.lazyAnswer(exchange, reply);
    writer.answer(exchange, reply);
  }

  function writeRendition(exchange: Exchange, state: State, rendition: Rendition): void | Promise<void> {
    const isStale = rendition.needsFeed && options.state().production.feedStatus().state === 'stale';
    const extra = isStale && !isSandboxPath(exchange.path) ? { 'cache-status': '"feed"; hit; detail=stale' } : {};
    const isPart = wantsPart(exchange, rendition.headers);
    const coding = isPart ? 'identity' : chooseCoding(readHeader(exchange, 'accept-encoding'));
    const send = (): void => {
      writer.rendition(exchange, rendition, coding, extra);
      if (!isPart) fastPath.keep(exchange, state, rendition, coding);
      if (rendition.search !== null && exchange.method === 'GET') options.countSearch(rendition.search);
    };
    return rendition.compress(coding)?.then(send) ?? send();
  }

  function fail(exchange: Exchange, thrown: unknown): void {
    const error = toApiError(thrown);
    if (error.status >= 500 && error.options.cause !== undefined) {
      const traceId = readTraceId(exchange.request.headers.traceparent);
      const fields = { request_id: exchange.id, ...(traceId !== null && { trace_id: traceId }) };
      const { cause } = error.options;
      // While the store is down, every request fails for the same cause, so only the message is logged, without the stack.
      const reason = error.code === 'upstream_unavailable' ? { problem: getMessage(cause) } : { err: cause };
      log.error({ ...fields, ...reason }, 'request failed');
    }
    if (exchange.response.headersSent) exchange.response.destroy();
    else writeProblem(exchange, error, options.failurePage);
  }

  /**
   * Writes a failure in the terms of the path's protocol: a problem document or, for GET and HEAD of the path of a page, what
   * `failurePage` returns unless it is null.
   */
  function writeProblem(exchange: Exchange, failure: ApiError, failurePage?: HandlerOptions['failurePage']): void {
    const { id, path, method, request } = exchange;
    nameRoute(exchange);
    const state = options.state();
    const error = findEndpoint(path)?.value.mapError?.(failure, state, exchange) ?? failure;
    const isPage = (method === 'GET' || method === 'HEAD') && isPagePath(path) && !isForMcpHost(exchange);
    const page = isPage ? failurePage?.(error, exchange, state) : null;
    writer.answer(
      exchange,
      page ?? createProblemAnswer(error, { id, path, target: request.url ?? '/' }, service.baseUrl),
    );
  }

  /** Sets the route of a request that was refused before routing, so that the log and the metrics show which endpoint fails. */
  function nameRoute(exchange: Exchange): void {
    const { route, path, request } = exchange;
    // Before the gate has read the target, `path` is `/` for every URL.
    if (route !== noRoute || (path === '/' && !/^\/(?:\?|$)/.test(request.url ?? ''))) return;
    const template = path.startsWith('/api/') ? options.findApiRoute(path) : findEndpoint(path)?.value.path;
    exchange.route = writeTemplate(template || noRoute);
  }

  /** Returns whether the request was sent to the host name that serves the MCP servers and nothing else. */
  function isForMcpHost(exchange: Exchange): boolean {
    return mcpHost !== null && normalizeHostName(readHeader(exchange, 'host')) === mcpHost;
  }

  function openExchange(
    { newId, readAddress }: HandlerOptions,
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
      address: readAddress(request),
      principal: null,
      bucket: 'anonymous',
      decision: null,
      route: noRoute,
    };
  }
}

/** The route of a request that no endpoint handles, in the log and the metrics. */
const noRoute = 'none';

/** Writes the parameters of a path as the contract does: `/docs/:slug{.+}` as `/docs/{slug}`. */
const writeTemplate = (path: string): string => path.replace(/:(\w+)(?:\{[^}]*\})?/g, '{$1}');

/** Returns `not_found` for a path that has nothing; for one that `findGuessedPath` knows, it suggests what was probably meant. */
function createUnknownPathError(path: string, baseUrl: string): ApiError {
  const target = findGuessedPath(path);
  const hint = target === undefined ? '' : ` Did you mean ${baseUrl}${target}?`;
  const detail = `There is nothing at this path.${hint} GET ${baseUrl}/api/v1 lists every endpoint.`;
  return new ApiError('not_found', detail, target === undefined ? {} : { suggestions: [target] });
}
