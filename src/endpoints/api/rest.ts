/** REST over the operations: a method, a path and a query in, an answer or a rendition out. */

import { type Answer, cacheControl } from '../../http/answer.ts';
import { createRendition, type Rendition } from '../../http/renditions.ts';
import type { State } from '../../http/state.ts';
import { call } from '../../operations/call.ts';
import { bodyOf, type Context } from '../../operations/context.ts';
import { inputJsonSchema } from '../../operations/input.ts';
import type { Operation } from '../../operations/operation.ts';
import type { Body, Outcome } from '../../operations/outcome.ts';
import { type Encoded, encodedJsonOf, encodedText } from '../../operations/representation.ts';
import type { Match } from './routes.ts';

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

/** Where the rendition of a prepared operation is kept. */
export const renditionKey = (
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
  const link = operation.links?.(context.service.baseUrl) ?? nextLink(context, operation, match, input, body);
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
      ...followUpHeaders(operation, body),
    },
    body: latin1,
    encoded: true,
    etag,
  };
}

/** The flat input of a POST: path parameters and the body's members; what is no object goes on for validation to refuse. */
export function bodyInput(operation: Operation, match: Match, sent: unknown): unknown {
  operation.requireSize?.(sent);
  return typeof sent === 'object' && sent !== null && !Array.isArray(sent) ? { ...sent, ...match.parameters } : sent;
}

/** Where what was started is, and when to look at it again. */
function followUpHeaders(operation: Operation, body: Body): Record<string, string> {
  const next = operation.followUp?.(body) ?? null;
  if (next === null) return {};
  return { ...(operation.status === 202 && { location: next.url }), 'retry-after': String(next.afterSeconds) };
}

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
