/** Everything that the reference has about one operation, before it is HTML or markdown. */
import type { Code } from '../../base/problem-codes.ts';
import type { Operation } from '../../operations/operation.ts';
import { saysWhenToPoll, successHeadersOf } from '../../operations/response-headers.ts';
import type { Site } from '../site.ts';
import { type Field, inputFields, responseFields } from './fields.ts';
import { type Sample, type SampleRequest, writeSamples } from './samples.ts';
import { readableJson, workedExample } from './worked-example.ts';

export interface OperationGuide {
  readonly id: string;
  readonly method: string;
  /** From the service's root: `/api/v1/docs/{slug}`. */
  readonly path: string;
  readonly summary: string;
  /** Markdown. */
  readonly description: string;
  /** Whether a credential is needed, in a sentence. */
  readonly access: string;
  readonly inputs: readonly Field[];
  /** Markdown: each status of a success, in a sentence. */
  readonly statuses: readonly string[];
  readonly outputs: readonly Field[];
  /** Headers beyond those of every response. */
  readonly headers: readonly string[];
  /** Its own codes first. */
  readonly codes: { readonly own: readonly Code[]; readonly common: readonly Code[] };
  readonly request: SampleRequest;
  readonly samples: readonly Sample[];
  readonly response: ShownResponse;
  /** What the form of "Try it" sends; null where there is none. */
  readonly tried: Operation | null;
}

/** The example's response. `text` is null where it has no body. */
export interface ShownResponse {
  readonly caption: string;
  readonly text: string | null;
  readonly language: string;
}

export async function operationGuide(site: Site, operation: Operation): Promise<OperationGuide> {
  const { request, status, answer } = await workedExample(site, operation);
  const own = new Set<Code>([
    ...operation.errors,
    ...(operation.tokenRequired ? (['unauthorized', 'insufficient_scope'] as const) : []),
  ]);
  const { text, cut } = readableJson(answer);
  const from = request.environment === 'sandbox' ? 'from the sandbox' : 'from this server';
  return {
    id: operation.id,
    method: operation.method,
    path: site.production.apiRoot.slice(site.baseUrl.length) + operation.path,
    summary: operation.summary,
    description: operation.description,
    access: accessOf(operation),
    inputs: inputFields(operation),
    statuses: [`Status ${operation.status}, as \`application/json\` or \`text/markdown\`.`],
    outputs: responseFields(operation.output),
    headers: [...successHeadersOf(operation, false), ...(saysWhenToPoll(operation) ? ['Retry-After'] : [])],
    codes: { own: [...own], common: site.problemCodesOf(operation).filter((code) => !own.has(code)) },
    request,
    samples: writeSamples(request),
    response: { caption: `${status}, ${from}${cut ? '; long texts are shortened' : ''}`, text, language: 'json' },
    tried: operation,
  };
}

function accessOf({ scope, tokenRequired }: Operation): string {
  if (tokenRequired) return `Needs a token with the scope \`${scope}\`, except in the sandbox.`;
  return 'Public reads need no scope; a token only raises the rate limit.';
}
