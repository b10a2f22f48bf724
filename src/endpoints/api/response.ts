/** Makes the response to an operation from its outcome: JSON or markdown, with the headers that describe it and link onward. */
import { vary } from '../../http/answer.ts';
import { createRendition, type Rendition } from '../../http/renditions.ts';
import type { State } from '../../http/state.ts';
import { type Authorized, run } from '../../operations/call.ts';
import type { Body, Outcome } from '../../operations/context.ts';
import { type Context, getBody, sandboxNote } from '../../operations/context.ts';
import type { Operation } from '../../operations/operation.ts';
import { type Encoded, encodeJson, encodeText } from '../../operations/representation.ts';
import type { Parameters } from './routes.ts';

/** A media type that operations respond with. */
export type Representation = 'application/json' | 'text/markdown';

/** The media types of operations; the first one is the default. */
export const representations: readonly Representation[] = ['application/json', 'text/markdown'];

/** A decoded request to an operation. */
export interface Call {
  readonly context: Context;
  readonly operation: Operation;
  /** The decoded parameters of the path only. */
  readonly parameters: Parameters;
  /** All parameters, those of the path included, before validation. */
  readonly input: Readonly<Record<string, unknown>>;
  readonly representation: Representation;
}

/**
 * Returns the rendition of a GET. That of a prepared operation is the same for everybody, and is from the state's cache or stored
 * in it.
 *
 * @throws ApiError, or rejects with one
 */
export function renderCall(state: State, authorizedCall: Authorized, call: Call): Rendition | Promise<Rendition> {
  const { prepared } = call.operation;
  const key = createRenditionKey(call);
  const cachedRendition = prepared ? state.renditions.get(key) : undefined;
  if (cachedRendition !== undefined) return cachedRendition;
  const finish = (outcome: Outcome): Rendition => {
    const rendition = createCallRendition(call, outcome);
    if (prepared) state.renditions.set(key, rendition);
    return rendition;
  };
  const outcome = run(authorizedCall, call.context, call.input);
  return outcome instanceof Promise ? outcome.then(finish) : finish(outcome);
}

/** Returns the key under which the state caches the rendition of a prepared operation. */
export const createRenditionKey = ({ context, operation, input, representation }: Call): string =>
  `${context.environment} ${operation.id} ${representation} ${JSON.stringify(input)}`;

function createCallRendition(call: Call, outcome: Outcome): Rendition {
  const { context, operation, representation } = call;
  const { baseUrl } = context.service;
  const body = getBody(context, outcome);
  const search = context.environment === 'production' ? operation.searches?.(call.input, body) : null;
  const link = operation.links?.(baseUrl) ?? createNextLink(call, body);
  return createRendition({
    encoded: encode(call, body, outcome),
    headers: {
      'content-type': `${representation}; charset=utf-8`,
      vary: vary.resource,
      ...(link !== null && { link }),
    },
    cache: operation.prepared ? 'content' : 'none',
    body,
    ...(search && { search }),
    route: context.apiRoot.slice(baseUrl.length) + operation.path,
    needsFeed: operation.needsFeed,
  });
}

/**
 * Returns the response to one request, which is not kept for others; its body is JSON or Markdown, as `call.representation` is. If
 * the operation has a follow-up, such as for an unfinished job, Retry-After has its time, and with status 202 Location its URL.
 */
export function createUncachedAnswer(
  call: Pick<Call, 'context' | 'operation' | 'representation'>,
  outcome: Outcome,
): { status: number; headers: Record<string, string>; cache: 'none'; body: string; encoded: true; etag: string } {
  const { context, operation, representation } = call;
  const body = getBody(context, outcome);
  const { bytes, etag } = encode(call, body, outcome);
  const next = operation.followUp?.(body) ?? null;
  return {
    status: operation.status,
    headers: {
      'content-type': `${representation}; charset=utf-8`,
      vary: vary.resource,
      ...(next !== null && operation.status === 202 && { location: next.url }),
      ...(next !== null && { 'retry-after': String(next.afterSeconds) }),
    },
    cache: 'none',
    body: bytes,
    encoded: true,
    etag,
  };
}

function encode(
  { representation, context }: Pick<Call, 'representation' | 'context'>,
  body: Body,
  outcome: Outcome,
): Encoded {
  if (representation === 'application/json') return encodeJson(body);
  return encodeText((context.environment === 'sandbox' ? sandboxNote : '') + outcome.markdown());
}

/**
 * Returns the value of the Link header for the next page (RFC 8288) with the same parameters, or null on the last page and for a
 * response without pages.
 */
function createNextLink({ context, operation, parameters, input }: Call, { pagination }: Body): string | null {
  if (typeof pagination !== 'object' || pagination === null) return null;
  const cursor: unknown = Reflect.get(pagination, 'next_cursor');
  if (typeof cursor !== 'string') return null;
  const sentFields = Object.entries(input).filter(([name]) => name !== 'cursor' && !(name in parameters));
  const query = new URLSearchParams(sentFields.map(([name, value]) => [name, String(value)]));
  query.set('cursor', cursor);
  return `<${context.apiRoot}${operation.path}?${query}>; rel="next"`;
}
