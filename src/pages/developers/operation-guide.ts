/** Everything that the reference says of one operation, before it is HTML or markdown. */
import type { Code } from '../../base/problem-codes.ts';
import type { Operation } from '../../operations/operation.ts';
import { saysWhenToPoll, successHeadersOf } from '../../operations/response-headers.ts';
import type { Site } from '../site.ts';
import { type Field, inputFields, outputFields } from './fields.ts';
import { type Sample, samplesOf } from './samples/samples.ts';
import { type WorkedExample, workedExample } from './worked-example.ts';

export interface OperationGuide {
  readonly operation: Operation;
  /** `/api/v1/docs/{slug}`. */
  readonly path: string;
  readonly inputs: readonly Field[];
  readonly outputs: readonly Field[];
  /** Headers beyond those of every response. */
  readonly headers: readonly string[];
  /** Its own codes first. */
  readonly codes: { readonly own: readonly Code[]; readonly common: readonly Code[] };
  readonly example: WorkedExample;
  readonly samples: readonly Sample[];
  /** Whether a token is needed, in a sentence. */
  readonly access: string;
}

export async function operationGuide(site: Site, operation: Operation): Promise<OperationGuide> {
  const example = await workedExample(site, operation);
  const own = new Set<Code>([
    ...operation.errors,
    ...(operation.tokenRequired ? (['unauthorized', 'insufficient_scope'] as const) : []),
  ]);
  return {
    operation,
    path: site.production.apiRoot.slice(site.baseUrl.length) + operation.path,
    inputs: inputFields(operation),
    outputs: outputFields(operation),
    headers: [...successHeadersOf(operation, false), ...(saysWhenToPoll(operation) ? ['Retry-After'] : [])],
    codes: { own: [...own], common: site.problemCodesOf(operation).filter((code) => !own.has(code)) },
    example,
    samples: samplesOf(example.request),
    access: accessOf(operation),
  };
}

function accessOf({ scope, tokenRequired }: Operation): string {
  if (tokenRequired) return `Needs a token with the scope \`${scope}\`, except in the sandbox.`;
  return 'Public reads need no scope; a token only raises the rate limit.';
}
