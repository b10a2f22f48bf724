/** Endpoints that are none of the API's operations, as OpenAPI path items. */
import { grouped } from '../base/amount-in-words.ts';
import { mostBodyBytes } from '../base/request-limits.ts';
import type {
  EndpointBody,
  EndpointContent,
  EndpointCredential,
  EndpointDescription,
  EndpointResponse,
} from '../operations/endpoint-description.ts';
import type { JsonSchema } from './components.ts';
import { headerRefs } from './headers.ts';
import { oauthSchemas } from './oauth-schemas.ts';
import { problemRefs } from './problems.ts';

/** `idempotencyKey`: the parameter that every POST of a program takes. */
export function pathItems(endpoints: readonly EndpointDescription[], idempotencyKey: unknown): JsonSchema {
  const items: Record<string, JsonSchema> = {};
  for (const endpoint of endpoints) {
    items[endpoint.path] = {
      ...items[endpoint.path],
      [endpoint.method.toLowerCase()]: operationOf(endpoint, idempotencyKey),
    };
  }
  return items;
}

function operationOf(described: EndpointDescription, idempotencyKey: unknown): JsonSchema {
  const { id, tag, summary, description, credential, parameters = [], body } = described;
  const { responses, isOAuth = false, takesKey = false, errors } = described;
  const taken = [...parameters, ...(takesKey ? [idempotencyKey] : [])];
  return {
    operationId: id,
    summary,
    description,
    tags: [tag],
    security: credential === undefined ? [] : security[credential],
    ...(taken.length > 0 && { parameters: taken }),
    ...(body !== undefined && { requestBody: requestBody(body) }),
    responses: {
      ...Object.fromEntries(Object.entries(responses).map(([status, response]) => [status, responseOf(response)])),
      ...problemRefs(errors, isOAuth ? 'OAuth' : ''),
    },
  };
}

const security: Readonly<Record<EndpointCredential, readonly object[]>> = {
  token: [{ bearer: [] }],
  client: [{ client: [] }, {}],
  registration: [{ registration: [] }],
};

const requestBody = ({ type, schema, example }: EndpointBody): JsonSchema => ({
  required: true,
  description: `At most ${grouped(mostBodyBytes)} bytes.`,
  content: {
    [type]: {
      schema: schemaOf(schema),
      examples: { example1: { summary: 'As a client sends it', value: example } },
    },
  },
});

const responseOf = ({ description, headers, ownHeaders, content }: EndpointResponse): JsonSchema => ({
  description,
  headers: headerRefs(headers, ownHeaders),
  ...(content !== undefined && {
    content: Object.fromEntries(content.map((made) => [made.type, mediaOf(made, description)])),
  }),
});

function mediaOf({ schema, summary, example }: EndpointContent, description: string): JsonSchema {
  if (schema === 'empty') return { schema: schemaOf(schema), example };
  return { schema: schemaOf(schema), examples: { example1: { summary: summary ?? description, value: example } } };
}

function schemaOf(schema: EndpointContent['schema']): JsonSchema {
  if (schema === null) return { type: 'string' };
  if (schema === 'object') return { type: 'object' };
  if (schema === 'empty') return { type: 'object', maxProperties: 0 };
  const name = Object.entries(oauthSchemas).find(([, known]) => known === schema)?.[0];
  if (name === undefined) throw new Error('the schema of an endpoint is not among the components');
  return { $ref: `#/components/schemas/${name}` };
}

/** What several endpoints answer an entity tag with that is current. */
export const unchanged: EndpointResponse = {
  description: 'Unchanged: the entity tag in If-None-Match is current. There is no body.',
};
