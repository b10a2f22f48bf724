/** Replies to a request to the API: match, decode, authorize, call, represent. `dispatch.ts` writes the reply. */
import { ApiError } from '../../base/api-error.ts';
import type { Clock } from '../../base/clock.ts';
import { type Answer, isSandboxPath, type LazyAnswer } from '../../http/answer.ts';
import type { Reply } from '../../http/endpoints.ts';
import type { Exchange } from '../../http/exchange.ts';
import type { CountSearch } from '../../http/fast-path.ts';
import type { State } from '../../http/state.ts';
import { authorize, run } from '../../operations/call.ts';
import type { Context, Service } from '../../operations/context.ts';
import type { Operation } from '../../operations/operation.ts';
import { getVersionStatus } from '../../operations/versions.ts';
import type { KeyedRequest } from '../../store/idempotency.ts';
import { createCallerExports, type ExportNotes, type ExportStores } from './caller-exports.ts';
import { type KeyTables, markAsReplay, readIdempotencyKey, runOnce } from './idempotency.ts';
import { chooseRepresentation, readBodyInput, readJsonBody, readQueryInput } from './input.ts';
import { createRequestContext } from './request-context.ts';
import { createUncachedAnswer, type Representation, renderCall } from './response.ts';
import { createMethodNotAllowed, createOptionsAnswer, type Parameters, type Resource, type Routes } from './routes.ts';
import { simulate } from './simulate.ts';

/** The parts of the API; `keys` are the tables of idempotency keys, and `countSearch` counts a search that got a response. */
export interface ApiOptions extends ExportStores {
  readonly service: Service;
  readonly clock: Clock;
  readonly routes: Routes;
  readonly keys: KeyTables;
  readonly countSearch: CountSearch;
}

/**
 * Replies to a request, without a promise where the reply is ready. `version` is the one in the path, such as `v1`.
 *
 * @throws ApiError, or rejects with one
 */
export type Api = (exchange: Exchange, state: State, version: string) => Reply | Promise<Reply>;

/** Creates the handler of requests below /api. */
export function createApi(options: ApiOptions): Api {
  return (exchange, state, version) => {
    const { context, resource, parameters } = match(options, exchange, state, version);
    if (exchange.method === 'OPTIONS') return createOptionsAnswer([...resource.methods.keys()]);
    const operation = resource.methods.get(exchange.method === 'HEAD' ? 'GET' : exchange.method);
    if (operation === undefined) throw createMethodNotAllowed(exchange.method, [...resource.methods.keys()]);
    const decodedRequest = { exchange, state, context, operation, parameters };
    if (context.environment === 'production') return reply(options, decodedRequest);
    return replyInSandbox(options, decodedRequest);
  };
}

/** Replies to a request to the sandbox, which may ask for a delay, or for a failure, which is then thrown as an ApiError. */
async function replyInSandbox(options: ApiOptions, decodedRequest: Decoded): Promise<Reply> {
  const { service, clock } = options;
  const isSimulated = await simulate(decodedRequest.exchange.query, service.baseUrl, clock);
  const answer = await reply(options, decodedRequest);
  // A simulated response is not cached, because it would answer requests that simulate nothing.
  return isSimulated ? { ...answer, cache: 'none' } : answer;
}

interface Decoded {
  readonly exchange: Exchange;
  readonly state: State;
  readonly context: Context;
  readonly operation: Operation;
  readonly parameters: Parameters;
}

/**
 * Finds the operations at the request's path, the parameters in it, and the context that it belongs to, of production or the
 * sandbox; sets the exchange's route. `name` is the version in the path, such as `v1`.
 *
 * @throws ApiError `version_retired` or `not_found`
 */
function match(
  { service, clock, routes }: ApiOptions,
  exchange: Exchange,
  state: State,
  name: string,
): { context: Context; resource: Resource; parameters: Parameters } {
  const version = service.versions.find((candidate) => candidate.name === name);
  if (version !== undefined && getVersionStatus(version, clock.now()) === 'retired') {
    exchange.route = `/api/${name}`;
    const successor = `${service.baseUrl}/api/${version.successor}`;
    throw new ApiError('version_retired', `API ${name} was retired on ${version.sunset}. Use ${successor}.`, {
      members: { successor },
    });
  }
  const context = isSandboxPath(exchange.path) ? state.sandbox : state.production;
  const root = context.apiRoot.slice(service.baseUrl.length);
  const path = exchange.path.slice(root.length);
  const route = name === 'v1' ? routes.match(path) : null;
  if (route === null) throw routes.unknown(path, context.apiRoot);
  exchange.route = root + route.value.path;
  return { context, resource: route.value, parameters: route.parameters };
}

function reply(options: ApiOptions, decodedRequest: Decoded): Reply | Promise<Reply> {
  const { exchange, state, context, operation, parameters } = decodedRequest;
  const representation = chooseRepresentation(exchange);
  const authorizedCall = authorize(operation, { ...context, principal: exchange.principal });
  if (operation.prepared) {
    const input = readQueryInput(operation, parameters, exchange.query);
    return renderCall(state, authorizedCall, { context, operation, parameters, input, representation });
  }
  const live = { ...decodedRequest, authorized: authorizedCall, representation };
  return operation.method === 'GET' ? getLive(options, live) : postLive(options, live);
}

interface Live extends Decoded {
  readonly authorized: ReturnType<typeof authorize>;
  readonly representation: Representation;
}

async function getLive(options: ApiOptions, live: Live): Promise<Answer | LazyAnswer> {
  const { exchange, operation, parameters, authorized } = live;
  const { context, notes } = openContext(options, live, null);
  const input = readQueryInput(operation, parameters, exchange.query);
  const answer = createUncachedAnswer({ ...live, context }, await run(authorized, context, input));
  const { sandboxJob, waited } = notes;
  return {
    ...answer,
    headers: { ...answer.headers, ...(waited !== null && { 'preference-applied': `wait=${waited}` }) },
    async body() {
      if (sandboxJob !== null && exchange.method === 'GET') await options.sandboxJobs.get(sandboxJob, { step: true });
      return answer.body;
    },
  };
}

async function postLive(options: ApiOptions, live: Live): Promise<Answer> {
  const { exchange, operation, parameters, authorized } = live;
  const key = readIdempotencyKey(exchange);
  const body = await readJsonBody(exchange);
  const { context, notes } = openContext(options, live, key === null ? null : { key, body });
  const answer = async () =>
    createUncachedAnswer(
      { ...live, context },
      await run(authorized, context, readBodyInput(operation, parameters, body)),
    );
  // An operation with `keepsKeys` detects replays itself; any other one runs again for a replay, and the response is marked.
  if (operation.keepsKeys === true) {
    const createdAnswer = await answer();
    return notes.replayed ? markAsReplay(createdAnswer) : createdAnswer;
  }
  const { keys, clock } = options;
  const { result, replayed } = await runOnce({ exchange, keys, clock, key, body }, answer);
  return replayed ? markAsReplay(result) : result;
}

/**
 * Returns the context of a request with the export jobs of its caller, and the notes that these jobs fill in for the headers of the
 * response. `idempotency` is null without a key.
 */
function openContext(
  options: ApiOptions,
  { exchange, state, context }: Live,
  idempotency: KeyedRequest | null,
): { context: Context; notes: ExportNotes } {
  const { routes, clock, countSearch } = options;
  const { exports, notes } = createCallerExports(options, exchange, idempotency);
  const caller = { principal: exchange.principal, exports, countSearch };
  return { context: createRequestContext({ state, context, routes, requestId: exchange.id, clock, caller }), notes };
}
