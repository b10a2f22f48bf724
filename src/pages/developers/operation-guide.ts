/** Collects what the reference shows of one operation, for its HTML and its Markdown. */
import type { Code } from '../../base/problem-codes.ts';
import type { EndpointDescription } from '../../operations/endpoint-description.ts';
import type { Operation } from '../../operations/operation.ts';
import { listSuccessHeaders, saysWhenToPoll } from '../../operations/response-headers.ts';
import type { Site } from '../site.ts';
import { type Field, listInputFields, listResponseFields } from './fields.ts';
import type { DescribedObjects } from './objects.ts';
import { type Sample, type SampleRequest, writeSamples } from './samples.ts';
import { runExample, writeReadableJson } from './worked-example.ts';

/** The facts about an operation or another endpoint. */
export interface OperationGuide
  extends Pick<EndpointDescription, 'id' | 'method' | 'path' | 'summary' | 'description'> {
  /** Whether a credential is needed, in a sentence of Markdown. */
  readonly access: string;
  readonly inputs: readonly Field[];
  /** Markdown: each status of a success, in a sentence. */
  readonly statuses: readonly string[];
  /** The object that a success returns, by its name in the contract; null if it has no page. */
  readonly returns: string | null;
  /** The fields of a success if `returns` is null; empty if it is not, or if the success is no JSON object with known fields. */
  readonly outputs: readonly Field[];
  /** The names of its headers beyond those of every response. */
  readonly headers: readonly string[];
  /** Its own error codes, and those that every request can also get. */
  readonly codes: { readonly specific: readonly Code[]; readonly common: readonly Code[] };
  readonly request: SampleRequest;
  readonly samples: readonly Sample[];
  /** The example's response; `text` is null if it has no body. */
  readonly response: { readonly caption: string; readonly text: string | null; readonly language: string };
  /** The operation that the form of "Try it" runs, or null without a form. */
  readonly tried: Operation | null;
}

/**
 * Returns the facts about an operation, with the response to a real request. Rejects with an Error for a GET outside of a request,
 * and with an ApiError if the example fails in the sandbox.
 */
export async function createOperationGuide(
  site: Site,
  operation: Operation,
  objects: DescribedObjects,
): Promise<OperationGuide> {
  const { id, method, summary, description, errors, tokenRequired, output } = operation;
  const { request, status, body } = await runExample(site, operation);
  const specific = new Set<Code>([
    ...errors,
    ...(tokenRequired ? (['unauthorized', 'insufficient_scope'] as const) : []),
  ]);
  const source = request.environment === 'sandbox' ? 'from the sandbox' : 'from this server';
  return {
    ...{ id, method, summary, description },
    path: site.production.apiRoot.slice(site.baseUrl.length) + operation.path,
    access: describeAccess(operation),
    inputs: listInputFields(operation),
    statuses: [
      `Status ${operation.status}, as \`application/json\` or \`text/markdown\`.`,
      ...(method === 'GET' ? [unchangedSentence] : []),
    ],
    ...describeOutput(objects, output),
    headers: [...listSuccessHeaders(operation, false), ...(saysWhenToPoll(operation) ? ['Retry-After'] : [])],
    codes: { specific: [...specific], common: site.listProblemCodes(operation).filter((code) => !specific.has(code)) },
    request,
    samples: writeSamples(request),
    response: { caption: `${status}, ${source}`, text: writeReadableJson(body), language: 'json' },
    tried: operation,
  };
}

/** The sentence of Markdown that describes the 304 of a GET. */
export const unchangedSentence = 'Status 304, without a body, if an entity tag in `If-None-Match` is current.';

/**
 * Returns the name of the object with this Zod schema as `returns` if it has a page, otherwise its fields as `outputs`. Without a
 * page `returns` is null; `outputs` is empty with one, and for a body that is no JSON object with known fields.
 */
export function describeOutput(
  { names, schemas, getName }: DescribedObjects,
  schema: unknown,
): Pick<OperationGuide, 'returns' | 'outputs'> {
  const name = getName(schema);
  return names.includes(name)
    ? { returns: name, outputs: [] }
    : { returns: null, outputs: listResponseFields(schemas[name]) };
}

function describeAccess({ scope, tokenRequired }: Operation): string {
  if (tokenRequired) return `Needs a token with the scope \`${scope}\`, except in the sandbox.`;
  return 'Public reads need no scope; a token only raises the rate limit.';
}
