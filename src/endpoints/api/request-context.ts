/** Creates the context of one request: with its caller, and with a batch that calls operations by their paths. */
import { LRUCache } from 'lru-cache';
import { ApiError } from '../../base/api-error.ts';
import type { Clock } from '../../base/clock.ts';
import { createPauses } from '../../base/turn.ts';
import type { CountSearch } from '../../http/fast-path.ts';
import { normalizePath } from '../../http/guard.ts';
import type { Rendition } from '../../http/renditions.ts';
import type { State } from '../../http/state.ts';
import { authorize, toApiError } from '../../operations/call.ts';
import type { BatchResult, Body, CallerExports, Context } from '../../operations/context.ts';
import { createProblemDocument } from '../../operations/problem.ts';
import { readQueryInput } from './input.ts';
import { type Call, createRenditionKey, renderCall } from './response.ts';
import type { Routes } from './routes.ts';
import { simulate } from './simulate.ts';

/** The sender of a request, with null as `principal` if it has no token, and the export jobs that belong to it. */
export interface Caller {
  readonly principal: Context['principal'];
  readonly exports: Readonly<Record<Context['environment'], CallerExports>>;
  readonly countSearch: CountSearch;
}

/** The request, the state that it sees, and that state's context of production or of the sandbox. */
export interface RequestContextOptions {
  readonly state: State;
  readonly context: Context;
  readonly routes: Routes;
  readonly requestId: string;
  readonly clock: Clock;
  /** The sender of the request; nobody if it is left out. */
  readonly caller?: Caller;
}

/**
 * Returns the context of one request: a copy of `context` with its caller, and with `getAll`, which runs the GETs of a batch with
 * the route table and the renditions of separate requests. It returns a status and a body for each path, in their order; the body
 * of one that fails is its problem document.
 */
export function createRequestContext({
  state,
  context,
  routes,
  requestId,
  clock,
  caller,
}: RequestContextOptions): Context {
  const { baseUrl } = context.service;
  const addCaller = (pathContext: Context): Context =>
    caller === undefined
      ? pathContext
      : { ...pathContext, principal: caller.principal, exports: caller.exports[pathContext.environment] };

  /** Returns the body of a rendition, {} if it has none, and counts its search as that of a separate request. */
  const takeCountedBody = ({ body, search }: Rendition): Body => {
    if (search !== null) caller?.countSearch(search);
    return body ?? {};
  };

  /**
   * Returns the body of a GET in a batch, by the steps of a separate request: match, decode, authorize, call, represent. `target`
   * is the path with the query, as the batch has it; `path` is relative to the root of `pathContext`, the context of production or
   * of the sandbox, to which it belongs.
   *
   * @throws ApiError, or rejects with one
   */
  const getBody = (target: string, pathContext: Context, path: string, query: string): Body | Promise<Body> => {
    if (/^\/\/|:\/\/|(^|\/)\.\.(\/|$)/.test(path)) throw createOutsideError();
    const match = routes.match(path === '/' ? '' : path);
    if (match === null) throw routes.unknown(path, pathContext.apiRoot);
    const operation = match.value.methods.get('GET');
    if (operation === undefined) throw createOutsideError();
    const { parameters } = match;
    const input = readQueryInput(operation, parameters, query);
    const call: Call = { context: pathContext, operation, parameters, input, representation: 'application/json' };
    // Only production responses are reused by path, because a request to the sandbox may simulate a failure.
    if (operation.prepared && pathContext.environment === 'production')
      renditionKeys.set(target, createRenditionKey(call));
    const rendition = renderCall(state, authorize(operation, pathContext), call);
    return rendition instanceof Promise ? rendition.then(takeCountedBody) : takeCountedBody(rendition);
  };

  const get = (target: string): BatchResult | Promise<BatchResult> => {
    const isSandbox = context.environment === 'sandbox';
    const cachedRendition = isSandbox ? undefined : state.renditions.get(renditionKeys.get(target) ?? '');
    if (cachedRendition?.body) return { status: 200, body: takeCountedBody(cachedRendition) };
    const mark = target.indexOf('?');
    const [sentPath, query] = mark === -1 ? [target, ''] : [target.slice(0, mark), target.slice(mark + 1)];
    const path = normalizePath(`/${sentPath.replace(/^\//, '')}`);
    const leadsToSandbox = isSandbox || /^\/sandbox(\/|$)/.test(path);
    const relative = isSandbox ? path : path.replace(/^\/sandbox(?=\/|$)/, '');
    const of = addCaller(leadsToSandbox ? state.sandbox : context);
    const find = () => getBody(target, of, relative, query);
    const succeed = (body: Body): BatchResult => ({ status: 200, body });
    const fail = (thrown: unknown): BatchResult => {
      const error = toApiError(thrown);
      const instance = `${context.apiRoot.slice(baseUrl.length)}/${sentPath.replace(/^\//, '')}`;
      return {
        status: error.status,
        body: createProblemDocument(error, { baseUrl, instance, requestId, sandbox: leadsToSandbox }),
      };
    };
    try {
      const body = leadsToSandbox ? simulate(query, baseUrl, clock).then(find) : find();
      return body instanceof Promise ? body.then(succeed, fail) : succeed(body);
    } catch (thrown) {
      return fail(thrown);
    }
  };

  return {
    ...addCaller(context),
    async getAll(paths) {
      const pauseIfLong = createPauses(clock);
      const results: (BatchResult | Promise<BatchResult>)[] = [];
      for (const path of paths) {
        results.push(get(path));
        const pause = pauseIfLong();
        if (pause !== null) await pause;
      }
      // Results that are ready are returned as they are: a promise for each of 20 results would cost as much as a GET.
      return results.every(isReady) ? results : Promise.all(results);
    },
  };
}

const isReady = (result: BatchResult | Promise<BatchResult>): result is BatchResult => !(result instanceof Promise);

/** Keys of renditions by the path in a batch: the meaning of a path never changes. */
const renditionKeys = new LRUCache<string, string>({
  maxSize: 4_000_000,
  sizeCalculation: (key, path) => key.length + path.length,
});

const createOutsideError = (): ApiError =>
  new ApiError('unprocessable', 'A batch runs GET operations of this API only. Send this request on its own.');
