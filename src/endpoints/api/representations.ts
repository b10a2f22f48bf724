/** What an operation gave, as a response: in JSON or markdown, with the headers that say what it is and where to go next. */
import { cacheControl, vary } from '../../http/answer.ts';
import { createRendition, type Rendition } from '../../http/renditions.ts';
import { bodyOf, type Context, sandboxNote } from '../../operations/context.ts';
import type { Operation } from '../../operations/operation.ts';
import type { Body, Outcome } from '../../operations/outcome.ts';
import { type Encoded, encodedJsonOf, encodedText } from '../../operations/representation.ts';
import type { Parameters } from './routes.ts';

export type Representation = 'application/json' | 'text/markdown';

export const representations: readonly Representation[] = ['application/json', 'text/markdown'];

/** What was asked, of which operation, and in which form the response is wanted. */
export interface Asked {
  readonly context: Context;
  readonly operation: Operation;
  readonly parameters: Parameters;
  readonly input: Readonly<Record<string, unknown>>;
  readonly representation: Representation;
}

/** A response that is kept for everybody, or read by a batch. */
export function renditionOf(asked: Asked, outcome: Outcome): Rendition {
  const { context, operation } = asked;
  const { baseUrl } = context.service;
  const body = bodyOf(context, outcome);
  const search = context.environment === 'production' ? operation.searches?.(asked.input, body) : null;
  const link = operation.links?.(baseUrl) ?? nextLink(asked, body);
  return createRendition({
    encoded: encodedAs(asked, body, outcome),
    headers: {
      ...representationHeaders(asked),
      'cache-control': operation.prepared ? cacheControl.content : cacheControl.none,
      ...(link !== null && { link }),
    },
    body,
    ...(search && { search }),
    route: context.apiRoot.slice(baseUrl.length) + operation.path,
    needsFeed: operation.needsFeed,
  });
}

/** A response for this request only. */
export function liveAnswer(
  asked: Pick<Asked, 'context' | 'operation' | 'representation'>,
  outcome: Outcome,
): { status: number; headers: Record<string, string>; body: string; encoded: true; etag: string } {
  const { context, operation } = asked;
  const body = bodyOf(context, outcome);
  const { bytes, etag } = encodedAs(asked, body, outcome);
  return {
    status: operation.status,
    headers: {
      ...representationHeaders(asked),
      'cache-control': cacheControl.none,
      ...followUpHeaders(operation, body),
    },
    body: bytes,
    encoded: true,
    etag,
  };
}

function encodedAs(
  { representation, context }: Pick<Asked, 'representation' | 'context'>,
  body: Body,
  outcome: Outcome,
): Encoded {
  if (representation === 'application/json') return encodedJsonOf(body);
  const note = context.environment === 'sandbox' ? sandboxNote : '';
  return encodedText(note + outcome.markdown());
}

const representationHeaders = ({ representation }: Pick<Asked, 'representation'>) => ({
  'content-type': `${representation}; charset=utf-8`,
  vary: vary.resource,
});

/** Where what was started is, and when to look at it again. */
function followUpHeaders(operation: Operation, body: Body): Record<string, string> {
  const next = operation.followUp?.(body) ?? null;
  if (next === null) return {};
  return { ...(operation.status === 202 && { location: next.url }), 'retry-after': String(next.afterSeconds) };
}

/** RFC 8288: the next page's URL, with the same parameters. */
function nextLink({ context, operation, parameters, input }: Asked, { pagination }: Body): string | null {
  if (typeof pagination !== 'object' || pagination === null) return null;
  const cursor: unknown = Reflect.get(pagination, 'next_cursor');
  if (typeof cursor !== 'string') return null;
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(input)) {
    if (name !== 'cursor' && !(name in parameters)) query.set(name, String(value));
  }
  query.set('cursor', cursor);
  return `<${context.apiRoot}${operation.path}?${query}>; rel="next"`;
}
