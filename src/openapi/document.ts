/** The OpenAPI 3.1 document, made from the operations: what it says of the API is what the API is made of. */

import { scopes } from '../oauth/scopes.ts';
import { call } from '../operations/call.ts';
import { bodyOf, type Context } from '../operations/context.ts';
import { examplePrincipal } from '../operations/export-examples.ts';
import { getExport } from '../operations/exports.ts';
import type { Example, Operation, Tag } from '../operations/operation.ts';
import { mcpServers, versioningPolicy } from '../operations/service-index.ts';
import { minimumNoticeDays } from '../operations/versions.ts';
import { componentSchemas, inputSchema, type JsonSchema, outputName } from './components.ts';
import { exportFilePath } from './export-file-path.ts';
import { headerObjects, headerRefs } from './headers.ts';
import { oauthDocumentPaths } from './oauth-documents.ts';
import { authenticationTag, oauthPaths } from './oauth-paths.ts';
import { codesOf, problemRefs, problemResponses } from './problems.ts';

const tags: Record<Tag, string> = {
  Service: 'The index of the service.',
  Releases: 'Releases of the application, from its signed update feed.',
  Documentation: 'Documentation pages and frequently asked questions.',
  Product: 'Pricing, features, requirements and compatibility.',
  Search: 'Full-text search.',
  Batch: 'Several reads in one round trip.',
  Exports: 'Asynchronous exports of whole collections.',
};

export interface OpenApiOptions {
  readonly operations: readonly Operation[];
  /** The sandbox's context: examples are its answers, for it never changes. */
  readonly examples: Context;
  readonly productName: string;
  readonly simulations: readonly string[];
  /** Paths of other protocols, as OpenAPI path items. */
  readonly otherPaths?: Readonly<Record<string, unknown>>;
}

/** Deterministic: the same operations and fixtures give the same text. */
export async function openApiDocument(options: OpenApiOptions): Promise<Record<string, unknown>> {
  const { operations, examples, productName } = options;
  const { baseUrl, apiVersion, versions } = examples.service;
  const paths: Record<string, Record<string, unknown>> = {};
  for (const sandbox of [false, true]) {
    for (const operation of operations) {
      const path = `/api/v1${sandbox ? '/sandbox' : ''}${operation.path}`;
      paths[path] = {
        ...paths[path],
        [operation.method.toLowerCase()]: await operationObject(options, operation, sandbox),
      };
    }
  }
  const { IdempotencyKey } = sharedParameters(options.simulations);
  const all = {
    ...paths,
    ...oauthPaths(baseUrl, IdempotencyKey),
    ...oauthDocumentPaths(examples.service, productName),
    ...exportFilePath,
    ...options.otherPaths,
  };
  const used = new Set(JSON.stringify(all).match(/\w*Problem\d{3}/g) ?? []);
  return {
    openapi: '3.1.1',
    info: {
      title: `${productName} metadata API`,
      version: apiVersion,
      summary: `Releases, documentation, pricing and compatibility of ${productName}.`,
      description: `Public and read-mostly; no credential is needed to read. Errors are problem documents (RFC 9457): branch on \`code\`. Every path also exists below \`/api/v1/sandbox\`, with fixture data. The same answers are tools of two MCP servers, at ${baseUrl}/mcp and ${baseUrl}/mcp/docs. ${versioningPolicy}`,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: baseUrl, description: 'This service.' }],
    externalDocs: { description: 'Developer documentation', url: `${baseUrl}/developers` },
    'x-mcp-servers': mcpServers(baseUrl, productName),
    tags: [
      ...Object.entries(tags)
        .filter(([name]) => operations.some(({ tag }) => tag === name))
        .map(([name, description]) => ({ name, description })),
      authenticationTag,
    ],
    paths: all,
    components: {
      schemas: componentSchemas(operations),
      responses: problemResponses(used, baseUrl),
      headers: usedHeaders(all, apiVersion, used.size > 0),
      securitySchemes: securitySchemes(baseUrl),
    },
    'x-deprecation-policy': {
      minimum_notice_days: minimumNoticeDays,
      policy: versioningPolicy,
      versions: versions.map(({ name, deprecated, sunset, successor }) => ({
        version: name,
        deprecated,
        sunset,
        successor,
      })),
    },
  };
}

async function operationObject(options: OpenApiOptions, operation: Operation, sandbox: boolean): Promise<JsonSchema> {
  const name = `${sandbox ? 'Sandbox' : ''}${outputName(operation)}`;
  const schema = { $ref: `#/components/schemas/${name}` };
  const answers = await Promise.all(
    operation.examples.map((example) => exampleAnswer(options, operation, example, sandbox)),
  );
  const list = operation.input.shape.cursor !== undefined;
  const more = [
    ...(list ? ['Link'] : []),
    ...(operation.needsFeed && !sandbox ? ['Cache-Status'] : []),
    ...(operation.method === 'POST' ? ['Idempotency-Key', 'Idempotent-Replayed'] : []),
    ...(operation.status === 202 ? ['Location', 'Retry-After'] : []),
    ...(canWait(operation, sandbox) ? ['Preference-Applied'] : []),
    ...(sandbox ? ['X-Service-Environment'] : []),
  ];
  const headers = headerRefs(more);
  const [scope, required] = [operation.scope, operation.tokenRequired && !sandbox];
  return {
    operationId: sandbox ? `sandbox${operation.id.slice(0, 1).toUpperCase()}${operation.id.slice(1)}` : operation.id,
    summary: sandbox ? `${operation.summary} (sandbox)` : operation.summary,
    description: sandbox
      ? `${operation.description} In the sandbox the answer is fixed fixture data.`
      : operation.description,
    tags: [operation.tag],
    security: [
      ...(required ? [] : [{}]),
      { bearer: scope === null ? [] : [scope] },
      { oauth2: scope === null ? [] : [scope] },
    ],
    parameters: parameterObjects(operation, sharedParameters(options.simulations), sandbox),
    ...(operation.method === 'POST' && { requestBody: requestBody(operation) }),
    responses: {
      [operation.status]: {
        description:
          operation.status === 202 ? 'Accepted; poll the URL in Location.' : `The answer. ${operation.summary}.`,
        headers,
        content: {
          'application/json': { schema, examples: exampleMap(answers, ({ body }) => body) },
          'text/markdown': { schema: { type: 'string' }, examples: exampleMap(answers, ({ markdown }) => markdown) },
        },
      },
      ...(operation.method === 'GET' && {
        304: { description: 'Unchanged: the entity tag in If-None-Match is current. There is no body.', headers },
      }),
      ...problemRefs(codesOf(operation, sandbox), sandbox ? 'Sandbox' : ''),
    },
  };
}

const exampleMap = <T>(answers: readonly (Example & T)[], pick: (answer: T) => unknown) =>
  Object.fromEntries(
    answers.map((answer, index) => [`example${index + 1}`, { summary: answer.summary, value: pick(answer) }]),
  );

async function exampleAnswer({ examples }: OpenApiOptions, operation: Operation, example: Example, sandbox: boolean) {
  const apiRoot = `${examples.service.baseUrl}/api/v1`;
  const context: Context = sandbox
    ? examples
    : { ...examples, environment: 'production', apiRoot, principal: examplePrincipal };
  const outcome = await call(operation, context, example.input);
  return { ...example, body: bodyOf(context, outcome), markdown: outcome.markdown() };
}

function parameterObjects(operation: Operation, parameters: JsonSchema, sandbox: boolean): unknown[] {
  const { properties = {}, required = [] } = inputSchema(operation) as {
    properties?: Record<string, JsonSchema>;
    required?: string[];
  };
  const [first] = operation.examples;
  const own = Object.entries(properties).flatMap(([name, { description, ...schema }]) => {
    const inPath = operation.path.includes(`{${name}}`);
    if (!inPath && operation.method === 'POST') return [];
    const example = first.input[name];
    return [
      {
        name,
        in: inPath ? 'path' : 'query',
        required: inPath || required.includes(name),
        description,
        schema,
        ...(example !== undefined && { example }),
      },
    ];
  });
  const shared = [
    operation.method === 'POST' ? 'IdempotencyKey' : 'IfNoneMatch',
    ...(canWait(operation, sandbox) ? ['Prefer'] : []),
    ...(sandbox ? ['Simulate'] : []),
  ];
  return [...own, ...shared.map((name) => parameters[name])];
}

/** The sandbox's jobs move with each look, not with time. */
const canWait = (operation: Operation, sandbox: boolean): boolean => operation.id === getExport.id && !sandbox;

function requestBody(operation: Operation): JsonSchema {
  const examples = operation.examples.map(({ summary, input }, index) => [
    `example${index + 1}`,
    { summary, value: input },
  ]);
  return {
    required: true,
    description: 'At most 65,536 bytes.',
    content: { 'application/json': { schema: inputSchema(operation), examples: Object.fromEntries(examples) } },
  };
}

const entityTags: JsonSchema = {
  type: 'string',
  minLength: 1,
  maxLength: 8192,
};

function sharedParameters(simulations: readonly string[]): JsonSchema {
  return {
    IdempotencyKey: {
      name: 'Idempotency-Key',
      in: 'header',
      required: false,
      description:
        '1 to 255 visible ASCII characters. The same key with the same body is a replay; with another body, 409.',
      schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
      example: 'order-7f3a',
    },
    IfNoneMatch: {
      name: 'If-None-Match',
      in: 'header',
      required: false,
      description: 'Entity tags that you have; 304 when one is current.',
      schema: entityTags,
      example: '"0Zl0p3V6mVdXb9o7kYc1rWq5tQeGhJ2A"',
    },
    Prefer: {
      name: 'Prefer',
      in: 'header',
      required: false,
      description: 'How many seconds the answer may wait for the job to finish, 10 at most (RFC 7240).',
      schema: { type: 'string', maxLength: 200, pattern: 'wait=\\d+' },
      example: 'wait=10',
    },
    Simulate: {
      name: 'simulate',
      in: 'query',
      required: false,
      description: 'Forces an outcome, so that you can try how your client handles it.',
      schema: { type: 'string', enum: simulations },
    },
  };
}

function usedHeaders(paths: unknown, apiVersion: string, problems: boolean): JsonSchema {
  const text = JSON.stringify(paths) + (problems ? '/headers/WWW-Authenticate"/headers/Retry-After"' : '');
  return Object.fromEntries(
    Object.entries(headerObjects(apiVersion)).filter(([name]) => text.includes(`/headers/${name}"`)),
  );
}

function securitySchemes(baseUrl: string): JsonSchema {
  return {
    bearer: { type: 'http', scheme: 'bearer', description: `An access token. ${baseUrl}/auth.md says how to get one.` },
    client: { type: 'http', scheme: 'basic', description: 'The client’s id and secret.' },
    registration: { type: 'http', scheme: 'bearer', description: 'The `registration_access_token` of a registration.' },
    oauth2: {
      type: 'oauth2',
      description: 'Optional. A token raises the rate limit and, with export:docs, starts exports.',
      flows: {
        clientCredentials: { tokenUrl: `${baseUrl}/oauth/token`, scopes },
        authorizationCode: {
          authorizationUrl: `${baseUrl}/oauth/authorize`,
          tokenUrl: `${baseUrl}/oauth/token`,
          scopes,
        },
      },
    },
  };
}
