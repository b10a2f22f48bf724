/** What happens to a request, in order: limits, credential, version, route, representation, body, operation, response. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApiError } from '../base/api-error.ts';
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import { addressKey } from '../limits/address-key.ts';
import type { Decision, Limiter } from '../limits/sliding-window.ts';
import { asApiError } from '../operations/call.ts';
import type { Service } from '../operations/context.ts';
import { versionStatus } from '../operations/versions.ts';
import type { IdempotencyTable } from '../store/idempotency.ts';
import { type Answer, isSandboxPath, problemAnswer } from './answer.ts';
import { parseJson, readBody, requireMediaType } from './body.ts';
import { clientAddress, type ProxyTrust } from './client-address.ts';
import { createEndpointTable, type Endpoint, isRendition, type Reply } from './endpoints.ts';
import { type Exchange, header } from './exchange.ts';
import { createFastPath } from './fast-path.ts';
import { parseTarget, requireOneHost, requirePlainFraming } from './guard.ts';
import { idempotencyKey, once } from './idempotency.ts';
import { acceptable, acceptedCoding, remember } from './negotiation.ts';
import { bucketOf } from './rate.ts';
import type { Rendition } from './renditions.ts';
import { postAnswer, type Representation, renditionOf, representations, requestContext } from './rest.ts';
import type { Match, Routes } from './routes.ts';
import { simulate } from './simulate.ts';
import type { State } from './state.ts';
import { preflightHeaders, type Writer } from './writer.ts';

export interface HandlerOptions {
  readonly service: Service;
  readonly clock: Clock;
  readonly log: Log;
  readonly limiter: Limiter;
  readonly writer: Writer;
  readonly routes: Routes;
  readonly endpoints: readonly Endpoint[];
  readonly anonymousKeys: IdempotencyTable;
  readonly trust: ProxyTrust;
  readonly newId: () => string;
  state(): State;
  /** The page for people where a path of the site leads nowhere, or null to answer with a problem document. */
  missingPage(exchange: Exchange, state: State): Answer | null;
}

const representationOf = remember((accept) => acceptable(accept, representations) as Representation | null);
const codingOf = remember(acceptedCoding);

export function createHandler(options: HandlerOptions): (request: IncomingMessage, response: ServerResponse) => void {
  const { service, clock, log, writer } = options;
  const findEndpoint = createEndpointTable(options.endpoints);
  const route = createRouter(options, findEndpoint);
  const fastPath = createFastPath(writer);

  return (request, response) => {
    const exchange = openExchange(options, request, response);
    const fail = (thrown: unknown): void => {
      const failure = asApiError(thrown);
      const error = findEndpoint(exchange.path)?.endpoint.restate?.(failure, options.state()) ?? failure;
      if (error.status >= 500 && error.options.cause !== undefined) {
        log.error({ request_id: exchange.id, err: error.options.cause }, 'request failed');
      }
      if (response.headersSent) response.destroy();
      else writer.answer(exchange, problemAnswer(error, exchange, service.baseUrl));
    };
    const reply = (made: Reply): void => {
      if (isRendition(made)) writeRendition(made);
      else writer.answer(exchange, made);
    };
    const state = options.state();
    const writeRendition = (rendition: Rendition): void => {
      const stale = rendition.needsFeed && options.state().production.feedStatus().state === 'stale';
      const extra = stale && !isSandboxPath(exchange.path) ? { 'cache-status': '"feed"; hit; detail=stale' } : {};
      const coding = codingOf(header(exchange, 'accept-encoding'));
      writer.rendition(exchange, rendition, coding, extra);
      fastPath.keep(exchange, state, rendition, coding);
    };
    response.on('error', (error) => log.warn({ request_id: exchange.id, err: error }, 'response failed'));
    try {
      admit(options, exchange);
      if (fastPath.answer(exchange, state)) return;
      const made = route(exchange);
      if (made instanceof Promise) made.then(reply).catch(fail);
      else reply(made);
    } catch (error) {
      fail(error);
    }
  };

  function openExchange(
    { newId, trust }: HandlerOptions,
    request: IncomingMessage,
    response: ServerResponse,
  ): Exchange {
    const target = request.url ?? '';
    const mark = target.indexOf('?');
    return {
      request,
      response,
      id: newId(),
      startedAt: clock.monotonic(),
      method: request.method ?? 'GET',
      path: mark === -1 ? target : target.slice(0, mark),
      query: mark === -1 ? '' : target.slice(mark + 1),
      address: clientAddress(request, trust),
      bucket: 'anonymous',
      decision: null,
      route: '',
    };
  }
}

/** Counts the request, then refuses it if it is one too many or its framing is doubtful. */
function admit(options: HandlerOptions, exchange: Exchange): void {
  exchange.bucket = bucketOf(exchange.path);
  exchange.decision = take(options, exchange);
  if (!exchange.decision.allowed) throw rateLimited(exchange.decision);
  requireOneHost(exchange.request);
  requirePlainFraming(exchange.request);
  const { path, query } = parseTarget(exchange.request);
  Object.assign(exchange, { path, query });
}

const take = ({ limiter, service }: HandlerOptions, { bucket, address }: Exchange): Decision =>
  limiter.take(`${bucket} ${addressKey(address)}`, service.limits[bucket]);

function rateLimited({ limit, resetSeconds }: Decision): ApiError {
  const seconds = resetSeconds === 1 ? '1 second' : `${resetSeconds} seconds`;
  return new ApiError('rate_limited', `More than ${limit} requests came in a minute. Wait ${seconds}.`, {
    retryAfter: resetSeconds,
  });
}

/** The route of a request and what it gives. */
function createRouter(
  options: HandlerOptions,
  findEndpoint: ReturnType<typeof createEndpointTable>,
): (exchange: Exchange) => Reply | Promise<Reply> {
  const { service, clock, routes, missingPage } = options;

  return (exchange) => {
    const { path } = exchange;
    const state = options.state();
    if (path === '*' && exchange.method === 'OPTIONS') return optionsAnswer(['GET', 'POST']);
    const [, version] = /^\/api\/([^/]+)/.exec(path) ?? [];
    if (version !== undefined) return versionedReply(exchange, state, version);
    const match = findEndpoint(path);
    if (match === null) {
      const page = exchange.bucket === 'pages' ? missingPage(exchange, state) : null;
      if (page !== null) return page;
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
    await simulate(exchange.query, service.baseUrl, clock);
    return operationReply(options, exchange, state, match);
  }
}

function operationReply(
  options: HandlerOptions,
  exchange: Exchange,
  state: State,
  match: Match,
): Reply | Promise<Reply> {
  const context = isSandboxPath(exchange.path) ? state.sandbox : state.production;
  const allowed = [...match.resource.methods.keys()];
  const operation = match.resource.methods.get(exchange.method === 'HEAD' ? 'GET' : exchange.method);
  if (operation === undefined) throw methodNotAllowed(exchange.method, allowed);
  const representation = representationOf(header(exchange, 'accept'));
  if (representation === null) throw notAcceptable(header(exchange, 'accept'));
  if (operation.method === 'GET') {
    return renditionOf(state, context, match, operation, exchange.query, representation);
  }
  const key = idempotencyKey(exchange);
  requireMediaType(exchange, 'application/json');
  return readBody(exchange).then(async (bytes) => {
    const body = parseJson(bytes);
    const { anonymousKeys: table, clock, routes } = options;
    const { path, id: requestId } = exchange;
    const within = requestContext({ state, context, routes, requestId, clock });
    const principal = `address ${addressKey(exchange.address)}`;
    const { result, replayed } = await once({ table, clock, principal, path, key, body }, () =>
      postAnswer(within, match, operation, body, representation),
    );
    if (!replayed) return result;
    return { ...result, headers: { ...result.headers, 'idempotent-replayed': 'true' } };
  });
}

/** Every method that a path answers, with those that come of themselves. */
const allowOf = (methods: readonly string[]): string =>
  [...new Set([...methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])), 'OPTIONS'])].join(', ');

function optionsAnswer(methods: readonly string[]): Answer {
  return {
    status: 204,
    headers: { allow: allowOf(methods), 'cache-control': 'no-store', ...preflightHeaders },
    body: '',
  };
}

function methodNotAllowed(method: string, methods: readonly string[]): ApiError {
  const allow = allowOf(methods);
  return new ApiError('method_not_allowed', `This path does not answer ${method.slice(0, 20)}. Use one of: ${allow}.`, {
    headers: { allow },
  });
}

function notAcceptable(accept: string): ApiError {
  const shown = JSON.stringify(accept.slice(0, 80));
  return new ApiError('not_acceptable', `Accept must allow ${representations.join(' or ')}; you sent ${shown}.`, {
    headers: { vary: 'Accept' },
  });
}
