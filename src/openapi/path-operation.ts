/** An OpenAPI operation that is none of the contract's own, written by hand, and what several of them have. */
import type { Code } from '../base/problem-codes.ts';
import type { JsonSchema } from './components.ts';
import { headerRefs } from './headers.ts';
import type { oauthSchemas } from './oauth-schemas.ts';
import { type ProblemKind, problemRefs } from './problems.ts';

export interface PathOperation {
  readonly id: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly unknown[];
  readonly body?: JsonSchema;
  readonly responses: Readonly<Record<string, unknown>>;
  readonly kind?: ProblemKind;
  readonly errors: readonly Code[];
}

export function pathOperation(described: PathOperation): JsonSchema {
  const { id, tag, summary, description, security = [], parameters = [], body } = described;
  const { responses, kind = '', errors } = described;
  return {
    operationId: id,
    summary,
    description,
    tags: [tag],
    security,
    ...(parameters.length > 0 && { parameters }),
    ...(body !== undefined && { requestBody: body }),
    responses: { ...responses, ...problemRefs(errors, kind) },
  };
}

export const schemaRef = (name: keyof typeof oauthSchemas) => ({ $ref: `#/components/schemas/${name}` });

/** An answer in JSON. `more`: headers besides those of every response. */
export const jsonAnswer = (
  description: string,
  name: keyof typeof oauthSchemas,
  value: object,
  more: readonly string[] = [],
) => ({
  description,
  headers: headerRefs(more),
  content: {
    'application/json': { schema: schemaRef(name), examples: { example1: { summary: description, value } } },
  },
});

export const textContent = (type: string, value: string) => ({
  [type]: { schema: { type: 'string' }, examples: { example1: { summary: 'The text', value } } },
});

export const unchanged = {
  description: 'Unchanged: the entity tag in If-None-Match is current. There is no body.',
  headers: headerRefs(),
};
