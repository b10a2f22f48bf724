/** The reply of one operation to a request: access, representation, body, idempotency key, and the operation itself. */
import { ApiError } from '../../base/api-error.ts';
import type { Clock } from '../../base/clock.ts';
import { isSandboxPath } from '../../http/answer.ts';
import { parseJson, readBody, requireMediaType } from '../../http/body.ts';
import type { Reply } from '../../http/endpoints.ts';
import { type Exchange, header } from '../../http/exchange.ts';
import { acceptable, remember } from '../../http/negotiation.ts';
import type { State } from '../../http/state.ts';
import { requireAccess } from '../../operations/call.ts';
import type { Context, Service } from '../../operations/context.ts';
import type { Operation } from '../../operations/operation.ts';
import type { ExportDesk, OpenDesk } from './exports.ts';
import { asReplay, idempotencyKey, type KeyTables, keeperOf, once } from './idempotency.ts';
import { methodNotAllowed } from './methods.ts';
import { requestContext } from './request-context.ts';
import { answerOf, bodyInput, queryInput, type Representation, renditionOf, representations } from './rest.ts';
import type { Match, Routes } from './routes.ts';

export interface OperationOptions {
  readonly service: Service;
  readonly clock: Clock;
  readonly routes: Routes;
  readonly keys: KeyTables;
  readonly openDesk: OpenDesk;
}

/** Throws ApiError. Synchronous for what is prepared. */
export function operationReply(
  options: OperationOptions,
  exchange: Exchange,
  state: State,
  match: Match,
): Reply | Promise<Reply> {
  const context = isSandboxPath(exchange.path) ? state.sandbox : state.production;
  const operation = match.resource.methods.get(exchange.method === 'HEAD' ? 'GET' : exchange.method);
  if (operation === undefined) throw methodNotAllowed(exchange.method, [...match.resource.methods.keys()]);
  requireAccess(operation, { ...context, principal: exchange.principal });
  const representation = representationOf(header(exchange, 'accept'));
  if (representation === null) throw notAcceptable(header(exchange, 'accept'));
  if (operation.prepared) return renditionOf(state, context, match, operation, exchange.query, representation);
  const live = { options, exchange, state, context, match, operation, representation };
  return operation.method === 'GET' ? getReply(live) : postReply(live);
}

interface Live {
  readonly options: OperationOptions;
  readonly exchange: Exchange;
  readonly state: State;
  readonly context: Context;
  readonly match: Match;
  readonly operation: Operation;
  readonly representation: Representation;
}

async function getReply({ options, exchange, match, operation, representation, ...place }: Live): Promise<Reply> {
  const desk = options.openDesk(exchange, null);
  const context = contextOf(options, exchange, place, desk);
  const input = queryInput(operation, match, exchange.query);
  return desk.finish(await answerOf(context, operation, input, representation));
}

async function postReply({ options, exchange, match, operation, representation, ...place }: Live): Promise<Reply> {
  const { keys, clock, openDesk } = options;
  const key = idempotencyKey(exchange);
  requireMediaType(exchange, 'application/json');
  const body = parseJson(await readBody(exchange));
  const desk = openDesk(exchange, key === null ? null : { key, body });
  const context = contextOf(options, exchange, place, desk);
  const run = () => answerOf(context, operation, bodyInput(operation, match, body), representation);
  // An export's key gives its job for as long as it lives: the jobs look after their keys themselves.
  if (operation.keepsKeys === true) return desk.finish(await run());
  const { path } = exchange;
  const { result, replayed } = await once({ ...keeperOf(exchange, keys), clock, path, key, body }, run);
  return replayed ? asReplay(result) : result;
}

function contextOf(
  { routes, clock }: OperationOptions,
  { id: requestId, principal }: Exchange,
  { state, context }: Pick<Live, 'state' | 'context'>,
  { exports }: ExportDesk,
): Context {
  return requestContext({ state, context, routes, requestId, clock, caller: { principal, exports } });
}

const representationOf = remember((accept) => acceptable(accept, representations));

function notAcceptable(accept: string): ApiError {
  const shown = JSON.stringify(accept.slice(0, 80));
  return new ApiError('not_acceptable', `Accept must allow ${representations.join(' or ')}; you sent ${shown}.`, {
    headers: { vary: 'Accept' },
  });
}
