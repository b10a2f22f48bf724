/** The context of one request: whose it is, and what the paths of its batch lead to. */
import { LRUCache } from 'lru-cache';
import { ApiError } from '../../base/api-error.ts';
import type { Clock } from '../../base/clock.ts';
import { createPauses } from '../../base/turn.ts';
import type { CountSearch } from '../../http/fast-path.ts';
import { plainPath } from '../../http/guard.ts';
import type { Rendition } from '../../http/renditions.ts';
import type { State } from '../../http/state.ts';
import { asApiError, authorize } from '../../operations/call.ts';
import type { BatchResult, Body, CallerExports, Context } from '../../operations/context.ts';
import { problemDocument } from '../../operations/problem.ts';
import { queryInput } from './input.ts';
import { type Call, renderCall, renditionKey } from './response.ts';
import type { Routes } from './routes.ts';
import { simulate } from './simulate.ts';

/** Whoever sent a request, and the export jobs that are theirs. */
export interface Caller {
  readonly principal: Context['principal'];
  readonly exports: Readonly<Record<Context['environment'], CallerExports>>;
  readonly countSearch: CountSearch;
}

/** A context for one request: its batch finds paths in the same table and the same renditions. */
export function requestContext(options: {
  state: State;
  context: Context;
  routes: Routes;
  requestId: string;
  clock: Clock;
  /** Whose request it is; nobody's unless given. */
  caller?: Caller;
}): Context {
  const { state, context, routes, requestId, clock, caller } = options;
  const { baseUrl } = context.service;
  const asCaller = (within: Context): Context =>
    caller === undefined
      ? within
      : { ...within, principal: caller.principal, exports: caller.exports[within.environment] };
  const get = (path: string): BatchResult | Promise<BatchResult> => {
    const held = context.environment === 'production' ? state.renditions.get(keysOfPaths.get(path) ?? '') : undefined;
    if (held?.body) return { status: 200, body: noted(held, caller) };
    const mark = path.indexOf('?');
    const [sentPath, query] = mark === -1 ? [path, ''] : [path.slice(0, mark), path.slice(mark + 1)];
    const relative = plainPath(`/${sentPath.replace(/^\//, '')}`);
    const inSandbox = context.environment === 'sandbox' || /^\/sandbox(\/|$)/.test(relative);
    const pathOnly = context.environment === 'sandbox' ? relative : relative.replace(/^\/sandbox(?=\/|$)/, '');
    const from = asCaller(inSandbox ? state.sandbox : context);
    const find = () => batchGet({ state, context: from, routes, sent: path, path: pathOnly, query, caller });
    const found = (body: Body) => ({ status: 200, body });
    const failed = (thrown: unknown) => {
      const error = asApiError(thrown);
      const root = context.apiRoot.slice(baseUrl.length);
      const instance = root + (sentPath.startsWith('/') ? sentPath : `/${sentPath}`);
      const place = { baseUrl, instance, requestId, sandbox: inSandbox };
      return { status: error.status, body: problemDocument(error, place) };
    };
    try {
      const body = inSandbox ? simulate(query, baseUrl, clock).then(find) : find();
      return body instanceof Promise ? body.then(found, failed) : found(body);
    } catch (thrown) {
      return failed(thrown);
    }
  };
  return {
    ...asCaller(context),
    async getAll(paths) {
      const pauseIfLong = createPauses(clock);
      const results: (BatchResult | Promise<BatchResult>)[] = [];
      for (const path of paths) {
        results.push(get(path));
        const pause = pauseIfLong();
        if (pause !== null) await pause;
      }
      // Prepared results exist already, and twenty promises cost as much as a GET.
      return results.every(isReady) ? results : Promise.all(results);
    },
  };
}

const isReady = (result: BatchResult | Promise<BatchResult>): result is BatchResult => !(result instanceof Promise);

/** Keys of renditions by the path of a batched operation as it was sent: what a path means never changes. */
const keysOfPaths = new LRUCache<string, string>({
  maxSize: 4_000_000,
  sizeCalculation: (key, path) => key.length + path.length,
});

interface BatchedGet {
  readonly state: State;
  readonly context: Context;
  readonly routes: Routes;
  /** The path as the batch has it. */
  readonly sent: string;
  readonly path: string;
  readonly query: string;
  readonly caller: Caller | undefined;
}

/** The same steps as a separate request takes: match, decode, authorize, call, represent. */
function batchGet({ state, context, routes, sent, path, query, caller }: BatchedGet): Body | Promise<Body> {
  if (/^\/\/|:\/\/|(^|\/)\.\.(\/|$)/.test(path)) throw outside();
  const match = routes.match(path === '/' ? '' : path);
  if (match === null) throw routes.unknown(path, context.apiRoot);
  const operation = match.value.methods.get('GET');
  if (operation === undefined) throw outside();
  const { parameters } = match;
  const input = queryInput(operation, parameters, query);
  const call: Call = { context, operation, parameters, input, representation: 'application/json' };
  // The sandbox may be told to fail.
  if (operation.prepared && context.environment === 'production') keysOfPaths.set(sent, renditionKey(call));
  const rendition = renderCall(state, authorize(operation, context), call);
  return rendition instanceof Promise ? rendition.then((made) => noted(made, caller)) : noted(rendition, caller);
}

/** The body of what a batch is given; a search in it counts as one by itself. */
function noted({ body, search }: Rendition, caller: Caller | undefined): Body {
  if (search !== null) caller?.countSearch(search);
  return body ?? {};
}

const outside = (): ApiError =>
  new ApiError('unprocessable', 'A batch runs GET operations of this API only. Send this request on its own.');
