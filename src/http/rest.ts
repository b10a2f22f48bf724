/** REST over the operations: a method, a path and a query in, an answer or a rendition out. */
import { ApiError } from '../base/api-error.ts';
import type { Clock } from '../base/clock.ts';
import { batch, requireBatchSize } from '../operations/batch.ts';
import { asApiError, call } from '../operations/call.ts';
import { bodyOf, type CallerExports, type Context } from '../operations/context.ts';
import { inputJsonSchema } from '../operations/input.ts';
import type { Body, Operation, Outcome } from '../operations/operation.ts';
import { problemDocument } from '../operations/problem.ts';
import { type Encoded, encodedJsonOf, encodedText } from '../operations/representation.ts';
import { discoveryLinks } from '../pages/discovery/api-catalog.ts';
import { type Answer, cacheControl } from './answer.ts';
import { createRendition, type Rendition } from './renditions.ts';
import type { Match, Routes } from './routes.ts';
import { simulate } from './simulate.ts';
import type { State } from './state.ts';

export type Representation = 'application/json' | 'text/markdown';

export const representations: readonly Representation[] = ['application/json', 'text/markdown'];

/** The prepared answer of a GET, from the cache or made now. Throws ApiError. */
export function renditionOf(
  state: State,
  context: Context,
  match: Match,
  operation: Operation,
  query: string,
  representation: Representation,
): Rendition | Promise<Rendition> {
  const input = queryInput(operation, match, query);
  const key = renditionKey(context, operation, input, representation);
  const held = operation.prepared ? state.renditions.get(key) : undefined;
  if (held !== undefined) return held;
  const finish = (outcome: Outcome): Rendition => {
    const made = render(context, operation, match, input, outcome, representation);
    if (operation.prepared) state.renditions.set(key, made);
    return made;
  };
  const outcome = call(operation, context, input);
  return outcome instanceof Promise ? outcome.then(finish) : finish(outcome);
}

const renditionKey = (
  { environment }: Context,
  { id }: Operation,
  input: Record<string, unknown>,
  representation: Representation,
): string => `${environment} ${id} ${representation} ${JSON.stringify(input)}`;

function render(
  context: Context,
  operation: Operation,
  match: Match,
  input: Record<string, unknown>,
  outcome: Outcome,
  representation: Representation,
): Rendition {
  const body = bodyOf(context, outcome);
  const link =
    operation.id === 'getIndex'
      ? discoveryLinks(context.service.baseUrl)
      : nextLink(context, operation, match, input, body);
  return createRendition({
    encoded: encodedAs(representation, context, body, outcome),
    headers: {
      ...representationHeaders(representation),
      'cache-control': operation.prepared ? cacheControl.content : cacheControl.none,
      ...(link !== null && { link }),
    },
    body,
    route: context.apiRoot.slice(context.service.baseUrl.length) + operation.path,
    needsFeed: operation.needsFeed,
  });
}

/** The answer of an operation that is run for each request. */
export async function answerOf(
  context: Context,
  operation: Operation,
  input: unknown,
  representation: Representation,
): Promise<Answer> {
  const outcome = await call(operation, context, input);
  const body = bodyOf(context, outcome);
  const { latin1, etag } = encodedAs(representation, context, body, outcome);
  return {
    status: operation.status,
    headers: {
      ...representationHeaders(representation),
      'cache-control': cacheControl.none,
      ...(operation.status === 202 && { location: String(body.poll_url), 'retry-after': String(pollSeconds) }),
    },
    body: latin1,
    encoded: true,
    etag,
  };
}

/** The flat input of a POST: path parameters and the body's members; what is no object goes on for validation to refuse. */
export function bodyInput(operation: Operation, match: Match, sent: unknown): unknown {
  if (operation.id === batch.id) requireBatchSize(sent);
  return typeof sent === 'object' && sent !== null && !Array.isArray(sent) ? { ...sent, ...match.parameters } : sent;
}

/** How long to wait before looking at a job again. */
export const pollSeconds = 1;

function encodedAs(representation: Representation, context: Context, body: Body, outcome: Outcome): Encoded {
  if (representation === 'application/json') return encodedJsonOf(body);
  const sandbox = context.environment === 'sandbox';
  const note = sandbox ? '> Sandbox: fixed fixture data, not the product’s.\n\n' : '';
  return encodedText(note + outcome.markdown());
}

const representationHeaders = (representation: Representation) => ({
  'content-type': `${representation}; charset=utf-8`,
  vary: 'Accept, Authorization, Accept-Encoding',
});

/** RFC 8288: the next page's URL, with the same parameters. */
function nextLink(
  context: Context,
  operation: Operation,
  match: Match,
  input: Record<string, unknown>,
  body: Body,
): string | null {
  const pagination = body.pagination;
  if (typeof pagination !== 'object' || pagination === null) return null;
  const cursor: unknown = Reflect.get(pagination, 'next_cursor');
  if (typeof cursor !== 'string') return null;
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(input)) {
    if (name !== 'cursor' && !(name in match.parameters)) query.set(name, String(value));
  }
  query.set('cursor', cursor);
  return `<${context.apiRoot}${operation.path}?${query}>; rel="next"`;
}

/** The flat input of a GET: path parameters and the query parameters that the operation knows. */
export function queryInput(operation: Operation, match: Match, query: string): Record<string, unknown> {
  const input: Record<string, unknown> = { ...match.parameters };
  if (query === '') return input;
  const { properties = {} } = inputJsonSchema(operation.input);
  const sent = new URLSearchParams(query);
  for (const [name, schema] of Object.entries(properties)) {
    if (name in match.parameters) continue;
    const values = sent.getAll(name);
    const [value] = values;
    if (value === undefined) continue;
    // Digits alone are a number; anything else goes on as it came, and validation says what is wrong with it.
    const integer = schema.type === 'integer' && /^\d{1,9}$/.test(value);
    input[name] = values.length > 1 ? values : integer ? Number(value) : value;
  }
  return input;
}

/** Whoever sent a request, and the export jobs that are theirs. */
export interface Caller {
  readonly principal: Context['principal'];
  readonly exports: Readonly<Record<Context['environment'], CallerExports>>;
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
  return {
    ...asCaller(context),
    get(path) {
      const held = context.environment === 'production' ? state.renditions.get(keysOfPaths.get(path) ?? '') : undefined;
      if (held?.body) return { status: 200, body: held.body };
      const relative = `/${path.replace(/^\//, '')}`;
      const inSandbox = context.environment === 'sandbox' || /^\/sandbox(\/|\?|$)/.test(relative);
      const target = context.environment === 'sandbox' ? relative : relative.replace(/^\/sandbox(?=[/?]|$)/, '');
      const mark = target.indexOf('?');
      const [pathOnly, query] = mark === -1 ? [target, ''] : [target.slice(0, mark), target.slice(mark + 1)];
      const from = asCaller(inSandbox ? state.sandbox : context);
      const root = from.apiRoot.slice(baseUrl.length);
      const find = () => batchGet({ state, context: from, routes, sent: path, path: pathOnly, query });
      const found = (body: Body) => ({ status: 200, body });
      const failed = (thrown: unknown) => {
        const error = asApiError(thrown);
        const place = { baseUrl, instance: root + pathOnly, requestId, sandbox: inSandbox };
        return { status: error.status, body: problemDocument(error, place) };
      };
      try {
        const body = inSandbox ? simulate(query, baseUrl, clock).then(find) : find();
        return body instanceof Promise ? body.then(found, failed) : found(body);
      } catch (thrown) {
        return failed(thrown);
      }
    },
  };
}

/** The key of the rendition that a batch's path, as it was sent, leads to: what a path means never changes. */
const keysOfPaths = new Map<string, string>();
const mostPaths = 4000;
const longestPath = 512;

interface BatchedGet {
  readonly state: State;
  readonly context: Context;
  readonly routes: Routes;
  /** The path as the batch has it. */
  readonly sent: string;
  readonly path: string;
  readonly query: string;
}

function batchGet({ state, context, routes, sent, path, query }: BatchedGet): Body | Promise<Body> {
  if (/^\/\/|:\/\/|(^|\/)\.\.(\/|$)/.test(path)) throw outside();
  const match = routes.match(path === '/' ? '' : path);
  if (match === null) throw routes.unknown(path, context.apiRoot);
  const operation = match.resource.methods.get('GET');
  if (operation === undefined) throw outside();
  // The sandbox may be told to fail.
  if (operation.prepared && context.environment === 'production' && sent.length <= longestPath) {
    if (keysOfPaths.size >= mostPaths) keysOfPaths.clear();
    keysOfPaths.set(sent, renditionKey(context, operation, queryInput(operation, match, query), 'application/json'));
  }
  const rendition = renditionOf(state, context, match, operation, query, 'application/json');
  return rendition instanceof Promise ? rendition.then(({ body }) => body ?? {}) : (rendition.body ?? {});
}

const outside = (): ApiError =>
  new ApiError('unprocessable', 'A batch runs GET operations of this API only. Send this request on its own.');
