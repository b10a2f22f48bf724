/** OpenAPI's operation objects: of the API's operations, in production or in the sandbox, and of every other endpoint. */
import { grouped } from '../base/amount-in-words.ts';
import { keyPattern, maxBodyBytes, mostKeyCharacters } from '../base/request-limits.ts';
import { maxWaitMs } from '../jobs/jobs.ts';
import { call } from '../operations/call.ts';
import { bodyOf, type Context } from '../operations/context.ts';
import type {
  EndpointContent,
  EndpointCredential,
  EndpointDescription,
  EndpointResponse,
} from '../operations/endpoint-description.ts';
import { examplePrincipal } from '../operations/exports.ts';
import { type Operation, operationIdIn } from '../operations/operation.ts';
import { saysWhenToPoll, successHeadersOf } from '../operations/response-headers.ts';
import { inputSchema, type JsonSchema, outputNameOf } from './components.ts';
import { oauthSchemas } from './oauth-schemas.ts';
import { codesOf, commonCodes, headerRefs, media, type ProblemResponses, sometimes } from './responses.ts';

/** Parts of a document that its operation objects share. */
export interface DocumentParts {
  /** The sandbox's context, whose responses are the examples. */
  readonly examples: Context;
  readonly problems: ProblemResponses;
  /** The values of `simulate`. */
  readonly simulations: readonly string[];
}

/** Describes an operation of the API; its examples are run in the sandbox's context. */
export async function operationObject(operation: Operation, sandbox: boolean, parts: DocumentParts) {
  const schema = { $ref: `#/components/schemas/${sandbox ? 'Sandbox' : ''}${outputNameOf(operation)}` };
  const responses = await runExamples(operation, sandbox, parts.examples);
  const headers = headerRefs(
    successHeadersOf(operation, sandbox),
    saysWhenToPoll(operation) ? sometimes('Retry-After', 'While the job is not finished') : {},
  );
  const [scope, required] = [operation.scope, operation.tokenRequired && !sandbox];
  return {
    operationId: operationIdIn(sandbox ? 'sandbox' : 'production', operation),
    summary: sandbox ? `${operation.summary} (sandbox)` : operation.summary,
    description: sandbox
      ? `${operation.description} In the sandbox, the response is fixed fixture data.`
      : operation.description,
    tags: [operation.tag],
    // Scopes belong to the OAuth scheme, and only exports require one: a read takes every token, or no token.
    security: [...(required ? [] : [{}]), { bearer: [] }, { oauth2: required && scope !== null ? [scope] : [] }],
    parameters: [
      ...parameterObjects(operation, operation.examples[0].input),
      operation.method === 'POST' ? idempotencyKey : ifNoneMatch,
      // The sandbox's jobs advance with each request, not with time.
      ...(operation.waits === true && !sandbox ? [prefer] : []),
      ...(sandbox ? [simulate(parts.simulations)] : []),
    ],
    ...(operation.method === 'POST' && {
      requestBody: requestBody(
        'application/json',
        inputSchema(operation.input),
        operation.examples.map(({ summary, input }) => ({ summary, value: input })),
      ),
    }),
    responses: {
      [operation.status]: {
        description:
          operation.status === 202 ? 'Accepted; poll the URL in Location.' : `Success: ${operation.summary}.`,
        headers,
        content: {
          'application/json': media(
            schema,
            responses.map(({ summary, body }) => ({ summary, value: body })),
          ),
          'text/markdown': media(
            { type: 'string' },
            responses.map(({ summary, markdown }) => ({ summary, value: markdown })),
          ),
        },
      },
      ...(operation.method === 'GET' && { 304: { ...unchanged, headers } }),
      ...parts.problems.refs(codesOf(operation, sandbox), sandbox ? 'Sandbox' : ''),
    },
  };
}

function runExamples(operation: Operation, sandbox: boolean, examples: Context) {
  const { baseUrl: siteRoot } = examples.service;
  const apiRoot = `${siteRoot}/api/v1`;
  const context: Context = sandbox
    ? examples
    : { ...examples, environment: 'production', apiRoot, siteRoot, principal: examplePrincipal };
  return Promise.all(
    operation.examples.map(async ({ summary, input }) => {
      const outcome = await call(operation, context, input);
      return { summary, body: bodyOf(context, outcome), markdown: outcome.markdown() };
    }),
  );
}

/** What the input of an operation or another endpoint is described by. */
type Called = Pick<Operation, 'path' | 'input'> & { readonly method: string };

/** Describes the parameters in the path and, unless the method is POST, in the query. */
function parameterObjects({ method, path, input }: Called, example: Readonly<Record<string, unknown>> = {}) {
  const { properties = {}, required = [] } = inputSchema(input) as {
    properties?: Record<string, JsonSchema>;
    required?: string[];
  };
  return Object.entries(properties).flatMap(([name, { description, ...schema }]) => {
    const inPath = path.includes(`{${name}}`);
    if (!inPath && method === 'POST') return [];
    const facts = { name, in: inPath ? 'path' : 'query', required: inPath || required.includes(name) };
    return [{ ...facts, description, schema, ...(name in example && { example: example[name] }) }];
  });
}

/** Describes an endpoint that is not an operation of the API. */
export function endpointObject(endpoint: EndpointDescription, problems: ProblemResponses): JsonSchema {
  const { id, tag, method, path, summary, description, credential, input, bodyType, responses, errors } = endpoint;
  const isOAuth = path.startsWith('/oauth/') && path !== '/oauth/authorize';
  const parameters = [
    ...(input === undefined ? [] : parameterObjects({ method, path, input }, endpoint.example)),
    ...(isOAuth && bodyType !== undefined ? [idempotencyKey] : []),
  ];
  const example = { summary: 'As a client sends it', value: endpoint.example };
  return {
    operationId: id,
    summary,
    description,
    tags: [tag],
    security: credential === undefined ? [] : security[credential],
    ...(parameters.length > 0 && { parameters }),
    ...(input && bodyType && { requestBody: requestBody(bodyType, schemaRef(input), [example]) }),
    responses: {
      ...Object.fromEntries(Object.entries(responses).map(([status, response]) => [status, responseObject(response)])),
      ...problems.refs([...commonCodes, ...errors], isOAuth ? 'OAuth' : ''),
    },
  };
}

const security: Readonly<Record<EndpointCredential, readonly object[]>> = {
  token: [{ bearer: [] }],
  client: [{ client: [] }, {}],
  registration: [{ registration: [] }],
};

const responseObject = ({ description, headers, ownHeaders, content }: EndpointResponse): JsonSchema => ({
  description,
  headers: headerRefs(headers, ownHeaders),
  ...(content !== undefined && {
    content: Object.fromEntries(
      content.map(({ type, schema, summary = description, example }) => [
        type,
        schema === 'empty'
          ? { schema: schemaRef(schema), example }
          : media(schemaRef(schema), [{ summary, value: example }]),
      ]),
    ),
  }),
});

function schemaRef(schema: EndpointContent['schema']): JsonSchema {
  if (schema === null) return { type: 'string' };
  if (schema === 'object') return { type: 'object' };
  if (schema === 'empty') return { type: 'object', maxProperties: 0 };
  const [name] = Object.entries(oauthSchemas).find(([, component]) => component === schema) ?? [];
  if (name === undefined) throw new Error('the schema of an endpoint is not among the components');
  return { $ref: `#/components/schemas/${name}` };
}

const requestBody = (
  type: string,
  schema: JsonSchema,
  examples: readonly { summary: string; value: unknown }[],
): JsonSchema => ({
  required: true,
  description: `At most ${grouped(maxBodyBytes)} bytes.`,
  content: { [type]: media(schema, examples) },
});

/** The 304 of every GET that sends an entity tag. */
export const unchanged: EndpointResponse = {
  description: 'Unchanged: the entity tag in If-None-Match is current. There is no body.',
};

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: `1 to ${mostKeyCharacters} visible ASCII characters. The same key with the same body is a replay; with a different body, you get a 409.`,
  schema: { type: 'string', minLength: 1, maxLength: mostKeyCharacters, pattern: keyPattern },
  example: 'order-7f3a',
};

const ifNoneMatch = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description: 'Entity tags that you have. You get a 304 if one is current.',
  schema: { type: 'string', minLength: 1, maxLength: 8192 },
  example: '"0Zl0p3V6mVdXb9o7kYc1rWq5tQeGhJ2A"',
};

const prefer = {
  name: 'Prefer',
  in: 'header',
  required: false,
  description: `How many seconds to wait for the job to finish, at most ${maxWaitMs / 1000} (RFC 7240).`,
  schema: { type: 'string', maxLength: 200, pattern: 'wait=\\d+' },
  example: `wait=${maxWaitMs / 1000}`,
};

const simulate = (simulations: readonly string[]) => ({
  name: 'simulate',
  in: 'query',
  required: false,
  description: 'Forces an outcome, so that you can test how your client handles it.',
  schema: { type: 'string', enum: simulations },
});
