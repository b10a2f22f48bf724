/** OpenAPI's operation objects: of the API's operations, in production or in the sandbox, and of every other endpoint. */
import { formatNumber } from '../base/amount-in-words.ts';
import type { Code } from '../base/problem-codes.ts';
import { keyPattern, maxBodyBytes, maxKeyCharacters } from '../base/request-limits.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { maxWaitMs } from '../jobs/jobs.ts';
import { call } from '../operations/call.ts';
import { type Body, type Context, getBody } from '../operations/context.ts';
import type { EndpointContent, EndpointCredential, EndpointDescription } from '../operations/endpoint-description.ts';
import { examplePrincipal } from '../operations/exports.ts';
import { getOperationId, type Operation } from '../operations/operation.ts';
import { listSuccessHeaders, saysWhenToPoll } from '../operations/response-headers.ts';
import { simulations } from '../operations/simulations.ts';
import { createInputSchema, createRef, getBodyName, getOutputName, type JsonSchema } from './components.ts';
import { oauthSchemas } from './oauth-schemas.ts';
import {
  commonCodes,
  createHeaderRefs,
  createUnchangedResponse,
  describeMediaType,
  describeOptionalHeader,
  listCodes,
  type ProblemKind,
} from './responses.ts';

/** The description of an operation, as far as the document for code generators reads it. */
export interface OperationObject extends JsonSchema {
  readonly description: string;
  /** The parameters; left out if there are none. */
  readonly parameters?: readonly JsonSchema[];
  /** The responses by status. */
  readonly responses: Readonly<Record<string, unknown>>;
}

/** A function that returns, by status, a reference to the response of `kind` that describes the codes of `list` with that status. */
export type DescribeProblems = (list: readonly Code[], kind: ProblemKind) => Record<string, JsonSchema>;

/**
 * Describes an operation of the API, in production or in the sandbox. `responses` are those to its examples, as `runExamples`
 * returns them, and `catalog` is the one that the examples of its parameters are from in production.
 */
export function createOperationObject(
  operation: Operation,
  sandbox: boolean,
  responses: Awaited<ReturnType<typeof runExamples>>,
  describeProblems: DescribeProblems,
  catalog: Catalog,
): OperationObject {
  const { method, status, summary, description, tag, scope, examples } = operation;
  const headers = createHeaderRefs(
    listSuccessHeaders(operation, sandbox),
    saysWhenToPoll(operation) ? describeOptionalHeader('Retry-After', 'While the job is not finished') : {},
  );
  const needsToken = operation.tokenRequired && !sandbox;
  const bodies = responses.map(({ body, ...example }) => ({ summary: example.summary, value: body }));
  const texts = responses.map(({ markdown, ...example }) => ({ summary: example.summary, value: markdown }));
  return {
    operationId: getOperationId(sandbox ? 'sandbox' : 'production', operation),
    summary: sandbox ? `${summary} (sandbox)` : summary,
    description: sandbox ? `${description} In the sandbox, the response is fixed fixture data.` : description,
    tags: [tag],
    // Scopes belong to the OAuth scheme, and only exports require one: a read takes every token, or no token.
    security: [...(needsToken ? [] : [{}]), { bearer: [] }, { oauth2: needsToken && scope !== null ? [scope] : [] }],
    parameters: [
      ...createParameterObjects(operation, sandbox ? examples[0].input : createExampleInput(operation, catalog)),
      createParameterRef(method === 'POST' ? 'IdempotencyKey' : 'IfNoneMatch'),
      // A job of the sandbox advances with each request and not with time, so a wait would change nothing.
      ...(operation.waits === true && !sandbox ? [createParameterRef('Prefer')] : []),
      ...(sandbox ? [createParameterRef('Simulate')] : []),
    ],
    ...(method === 'POST' && {
      requestBody: createRequestBody(
        'application/json',
        createRef(getBodyName(operation)),
        examples.map((example) => ({ summary: example.summary, value: example.input })),
      ),
    }),
    responses: {
      [status]: {
        description:
          status === 202 ? 'Accepted; poll the URL in Location.' : (operation.output.description ?? 'The list.'),
        headers,
        content: {
          'application/json': describeMediaType(
            createRef(`${sandbox ? 'Sandbox' : ''}${getOutputName(operation)}`),
            bodies,
          ),
          'text/markdown': describeMediaType({ type: 'string' }, texts),
        },
      },
      ...(method === 'GET' && { 304: createUnchangedResponse(headers) }),
      ...describeProblems(listCodes(operation, sandbox), sandbox ? 'Sandbox' : ''),
    },
  };
}

/**
 * Returns the first example of the input, with values of this catalog if the operation has `exampleInput`: a version or id of
 * another catalog would be a 404. A path parameter for which the catalog has none is then left out. Without `exampleInput`, the
 * example is returned as it is.
 */
export function createExampleInput({ path, examples: [{ input }], exampleInput }: Operation, catalog: Catalog): Body {
  if (exampleInput === undefined) return input;
  const isOfCatalog = ([name]: [string, unknown]): boolean => !path.includes(`{${name}}`);
  return { ...Object.fromEntries(Object.entries(input).filter(isOfCatalog)), ...exampleInput(catalog) };
}

/**
 * Runs the examples of an operation in `examples`, the sandbox’s context, whose responses never change. If `sandbox` is false, the
 * environment, the addresses and the caller are those of production, and the catalog is still the sandbox’s. Returns the summary,
 * the body and the Markdown of each in order, and rejects if one fails.
 */
export function runExamples(operation: Operation, sandbox: boolean, examples: Context) {
  const { baseUrl: siteRoot } = examples.service;
  const apiRoot = `${siteRoot}/api/v1`;
  const context: Context = sandbox
    ? examples
    : { ...examples, environment: 'production', apiRoot, siteRoot, principal: examplePrincipal };
  return Promise.all(
    operation.examples.map(async ({ summary, input }) => {
      const outcome = await call(operation, context, input);
      return { summary, body: getBody(context, outcome), markdown: outcome.markdown() };
    }),
  );
}

type Called = Pick<Operation, 'path' | 'input'> & { readonly method: string };

/**
 * Describes the fields of the input that are in the path or, unless the method is POST, in the query; each has its value in
 * `example`, if there is one.
 */
function createParameterObjects({ method, path, input }: Called, example: Body): JsonSchema[] {
  const { properties = {}, required = [] } = createInputSchema(input);
  return Object.entries(properties).flatMap(([name, { description, ...schema }]) => {
    const inPath = path.includes(`{${name}}`);
    if (!inPath && method === 'POST') return [];
    const facts = { name, in: inPath ? 'path' : 'query', required: inPath || required.includes(name) };
    return [{ ...facts, description, schema, ...(name in example && { example: example[name] }) }];
  });
}

/** Describes an endpoint that is not an operation of the API. Throws an Error if one of its schemas is not among the components. */
export function createEndpointObject(
  endpoint: EndpointDescription,
  describeProblems: DescribeProblems,
): OperationObject {
  const { id, tag, method, path, summary, description, credential, input, bodyType, responses, errors } = endpoint;
  const { example = {} } = endpoint;
  const isOAuth = path.startsWith('/oauth/') && path !== '/oauth/authorize';
  const parameters = [
    ...(input === undefined ? [] : createParameterObjects({ method, path, input }, example)),
    ...(isOAuth && bodyType !== undefined ? [createParameterRef('IdempotencyKey')] : []),
  ];
  const examples = [{ summary: 'As a client sends it', value: example }];
  const successes = Object.entries(responses).map(([status, { headers, ownHeaders, content, ...response }]) => {
    const object = { ...response, headers: createHeaderRefs(headers, ownHeaders) };
    if (status === '304') return [status, createUnchangedResponse(object.headers)];
    return [status, content === undefined ? object : { ...object, content: createContentObject(content, response) }];
  });
  return {
    operationId: id,
    summary,
    description,
    tags: [tag],
    security: credential === undefined ? [] : security[credential],
    ...(parameters.length > 0 && { parameters }),
    ...(input && bodyType && { requestBody: createRequestBody(bodyType, createSchemaObject(input), examples) }),
    responses: {
      ...Object.fromEntries(successes),
      ...describeProblems([...commonCodes, ...errors], isOAuth ? 'OAuth' : ''),
    },
  };
}

const security: Readonly<Record<EndpointCredential, readonly object[]>> = {
  token: [{ bearer: [] }],
  client: [{ client: [] }, {}],
  registration: [{ registration: [] }],
};

/** Describes the body of a response, by media type; an example without a summary has the description of the response as its own. */
const createContentObject = (
  content: readonly EndpointContent[],
  { description }: { readonly description: string },
): JsonSchema =>
  Object.fromEntries(
    content.map(({ type, schema, summary = description, example }) => [
      type,
      schema === 'empty'
        ? { schema: createSchemaObject(schema), example }
        : describeMediaType(createSchemaObject(schema), [{ summary, value: example }]),
    ]),
  );

function createSchemaObject(schema: EndpointContent['schema']): JsonSchema {
  if (schema === null) return { type: 'string' };
  if (schema === 'object') return { type: 'object' };
  if (schema === 'empty') return { type: 'object', maxProperties: 0 };
  const [name] = Object.entries(oauthSchemas).find(([, component]) => component === schema) ?? [];
  if (name === undefined) throw new Error('the schema of an endpoint is not among the components');
  return createRef(name);
}

const createRequestBody = (type: string, schema: JsonSchema, examples: Parameters<typeof describeMediaType>[1]) => ({
  required: true,
  description: `At most ${formatNumber(maxBodyBytes)} bytes.`,
  content: { [type]: describeMediaType(schema, examples) },
});

const createParameterRef = (name: string): JsonSchema => ({ $ref: `#/components/parameters/${name}` });

/** The parameters that several operations have, by their names among the components. */
export const sharedParameters: Readonly<Record<string, object>> = {
  IdempotencyKey: createHeaderParameter(
    'Idempotency-Key',
    `1 to ${maxKeyCharacters} visible ASCII characters. The same key with the same body is a replay; with a different body, you get a 409.`,
    { minLength: 1, maxLength: maxKeyCharacters, pattern: keyPattern },
    'order-7f3a',
  ),
  IfNoneMatch: createHeaderParameter(
    'If-None-Match',
    'Entity tags that you have. You get a 304 if one is current.',
    { minLength: 1, maxLength: 8192 },
    '"0Zl0p3V6mVdXb9o7kYc1rWq5tQeGhJ2A"',
  ),
  Prefer: createHeaderParameter(
    'Prefer',
    `How many seconds to wait for the job to finish, at most ${maxWaitMs / 1000} (RFC 7240).`,
    { maxLength: 200, pattern: 'wait=\\d+' },
    `wait=${maxWaitMs / 1000}`,
  ),
  Simulate: {
    name: 'simulate',
    in: 'query',
    required: false,
    description: 'Forces an outcome, so that you can test how your client handles it.',
    schema: { type: 'string', enum: [...simulations.keys()] },
  },
};

/** Creates the description of a header that a request may have; `schema` is added to that of a string. */
function createHeaderParameter(name: string, description: string, schema: JsonSchema, example: string): JsonSchema {
  return {
    ...{ name, in: 'header', required: false, description },
    schema: { type: 'string', ...schema },
    example,
  };
}
