/** What happens to a request, in order: gate, version, route, representation, body, operation, response. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApiError } from '../base/api-error.ts';
import type { Log } from '../base/log.ts';
import { type Answer, cacheControl, isSandboxPath, problemAnswer } from '../http/answer.ts';
import { clientAddress, type ProxyTrust } from '../http/client-address.ts';
import { createEndpointTable, type Endpoint, isRendition, type Reply } from '../http/endpoints.ts';
import { type Exchange, header } from '../http/exchange.ts';
import { createFastPath } from '../http/fast-path.ts';
import type { Gate } from '../http/gate.ts';
import type { Load } from '../http/load.ts';
import { acceptedCoding, remember } from '../http/negotiation.ts';
import { bucketOf } from '../http/rate.ts';
import type { Rendition } from '../http/renditions.ts';
import type { State } from '../http/state.ts';
import type { Writer } from '../http/writer.ts';
import { asApiError } from '../operations/call.ts';
import { versionStatus } from '../operations/versions.ts';
import { methodNotAllowed, optionsAnswer } from './api/methods.ts';
import { type OperationOptions, operationReply } from './api/operation-reply.ts';
import type { Match } from './api/routes.ts';
import { simulate } from './api/simulate.ts';

export interface HandlerOptions extends OperationOptions {
  readonly log: Log;
  readonly gate: Gate;
  readonly writer: Writer;
  readonly load: Pick<Load, 'begin' | 'end'>;
  readonly endpoints: readonly Endpoint[];
  readonly trust: ProxyTrust;
  readonly newId: () => string;
  state(): State;
  /** The page for people where a request to the site fails, or null to answer with a problem document. */
  failurePage(error: ApiError, exchange: Exchange, state: State): Answer | null;
}

const codingOf = remember(acceptedCoding);

export function createHandler(options: HandlerOptions): (request: IncomingMessage, response: ServerResponse) => void {
  const { service, clock, log, writer, load } = options;
  const findEndpoint = createEndpointTable(options.endpoints);
  const route = createRouter(options, findEndpoint);
  const fastPath = createFastPath(writer);

  return (request, response) => {
    const exchange = openExchange(options, request, response);
    try {
      const admitted = options.gate(exchange, () => fastPath.has(exchange, options.state()));
      if (admitted instanceof ApiError) return refuse(exchange, admitted);
      if (admitted === undefined && fastPath.answer(exchange, options.state())) return;
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
    if (!fastPath.answer(exchange, options.state())) return respond(exchange);
  }

  function respond(exchange: Exchange): void | Promise<void> {
    // What is ready does not wait for what has to be made.
    if (exchange.method !== 'POST') writer.flush();
    const state = options.state();
    const made = route(exchange);
    if (made instanceof Promise) return made.then((reply) => write(exchange, state, reply));
    write(exchange, state, made);
  }

  function write(exchange: Exchange, state: State, reply: Reply): void {
    if (isRendition(reply)) writeRendition(exchange, state, reply);
    else writer.answer(exchange, reply);
  }

  function writeRendition(exchange: Exchange, state: State, rendition: Rendition): void {
    const stale = rendition.needsFeed && options.state().production.feedStatus().state === 'stale';
    const extra = stale && !isSandboxPath(exchange.path) ? { 'cache-status': '"feed"; hit; detail=stale' } : {};
    const coding = codingOf(header(exchange, 'accept-encoding'));
    writer.rendition(exchange, rendition, coding, extra);
    fastPath.keep(exchange, state, rendition, coding);
  }

  /** In the terms of the path's protocol. */
  function mapped(exchange: Exchange, error: ApiError): ApiError {
    return findEndpoint(exchange.path)?.endpoint.mapError?.(error, options.state(), exchange) ?? error;
  }

  /** Never as a page: there is no time to make one, or nobody who reads it. */
  function refuse(exchange: Exchange, error: ApiError): void {
    writer.answer(exchange, problemAnswer(mapped(exchange, error), exchange, service.baseUrl));
  }

  function fail(exchange: Exchange, thrown: unknown): void {
    const error = mapped(exchange, asApiError(thrown));
    if (error.status >= 500 && error.options.cause !== undefined) {
      log.error({ request_id: exchange.id, err: error.options.cause }, 'request failed');
    }
    if (exchange.response.headersSent) {
      exchange.response.destroy();
      return;
    }
    const page = bucketOf(exchange.path) === 'pages' ? options.failurePage(error, exchange, options.state()) : null;
    writer.answer(exchange, page ?? problemAnswer(error, exchange, service.baseUrl));
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

/** The route of a request and what it gives. */
function createRouter(
  options: HandlerOptions,
  findEndpoint: ReturnType<typeof createEndpointTable>,
): (exchange: Exchange) => Reply | Promise<Reply> {
  const { service, clock, routes } = options;

  return (exchange) => {
    const { path } = exchange;
    const state = options.state();
    if (path === '*' && exchange.method === 'OPTIONS') return optionsAnswer(['GET', 'POST']);
    const [, version] = /^\/api\/([^/]+)/.exec(path) ?? [];
    if (version !== undefined) return versionedReply(exchange, state, version);
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
    if (exchange.method === 'OPTIONS') return optionsAnswer(allowed);
    const method = exchange.method === 'HEAD' ? 'GET' : exchange.method;
    const handler = method === 'GET' || method === 'POST' || method === 'DELETE' ? methods[method] : undefined;
    if (handler === undefined) throw methodNotAllowed(exchange.method, allowed);
    return handler(exchange, match.parameters, state);
  };

  function versionedReply(exchange: Exchange, state: State, name: string): Reply | Promise<Reply> {
    const version = service.versions.find((known) => known.name === name);
    if (version !== undefined && versionStatus(version, clock.now()) === 'retired') {
      exchange.route = `/api/${name}`;
      const successor = `${service.baseUrl}/api/${version.successor}`;
      throw new ApiError('version_retired', `API ${name} was retired on ${version.sunset}. Use ${successor}.`, {
        members: { successor },
      });
    }
    const sandbox = isSandboxPath(exchange.path);
    const context = sandbox ? state.sandbox : state.production;
    const root = context.apiRoot.slice(service.baseUrl.length);
    const match = name === 'v1' ? routes.match(exchange.path.slice(root.length)) : null;
    if (match === null) throw routes.unknown(exchange.path.slice(root.length), context.apiRoot);
    exchange.route = root + match.resource.path;
    if (exchange.method === 'OPTIONS') return optionsAnswer([...match.resource.methods.keys()]);
    if (!sandbox) return operationReply(options, exchange, state, match);
    return sandboxReply(exchange, state, match);
  }

  /** The sandbox marks every response, failures included, and may be told to fail. */
  async function sandboxReply(exchange: Exchange, state: State, match: Match): Promise<Reply> {
    const isSimulated = await simulate(exchange.query, service.baseUrl, clock);
    const reply = await operationReply(options, exchange, state, match);
    if (!isSimulated) return reply;
    // From a cache, the next one would not be simulated.
    return { ...reply, headers: { ...reply.headers, 'cache-control': cacheControl.none } };
  }
}
