/** The OpenAPI 3.1 document, made from the operations: what it says of the API is what the API is made of. */
import { setImmediate } from 'node:timers/promises';
import { scopes } from '../oauth/scopes.ts';
import type { Context } from '../operations/context.ts';
import type { Operation, Tag } from '../operations/operation.ts';
import { responseHeaders } from '../operations/response-headers.ts';
import { mcpServers, versioningPolicy, versionList } from '../operations/service-index.ts';
import { minimumNoticeDays } from '../operations/versions.ts';
import { componentSchemas, type JsonSchema } from './components.ts';
import { describedEndpoints } from './described-endpoints.ts';
import { authenticationTag } from './oauth-endpoints.ts';
import { operationObject, sharedParameters } from './operation-object.ts';
import { pathItems } from './path-operation.ts';
import { collectProblems } from './problems.ts';

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
  /** The sandbox's context: examples are its responses, since it never changes. */
  readonly examples: Context;
  readonly productName: string;
  readonly simulations: readonly string[];
}

/** Deterministic: the same operations and fixtures give the same text. */
export async function openApiDocument(options: OpenApiOptions): Promise<Record<string, unknown>> {
  const { operations, examples, productName } = options;
  const { baseUrl, apiVersion } = examples.service;
  const parameters = sharedParameters(options.simulations);
  const paths: Record<string, Record<string, unknown>> = {};
  for (const sandbox of [false, true]) {
    for (const operation of operations) {
      // Examples are answers that have to be made: requests get their turn between two of them.
      await setImmediate();
      const path = `/api/v1${sandbox ? '/sandbox' : ''}${operation.path}`;
      paths[path] = {
        ...paths[path],
        [operation.method.toLowerCase()]: await operationObject(operation, sandbox, examples, parameters),
      };
    }
  }
  const all = {
    ...paths,
    ...pathItems(describedEndpoints(examples.service, productName), parameters.IdempotencyKey),
  };
  await setImmediate();
  const problems = collectProblems(all, baseUrl);
  const headers = usedHeaders([all, problems], apiVersion);
  await setImmediate();
  const schemas = componentSchemas(operations);
  await setImmediate();
  return {
    openapi: '3.1.1',
    info: {
      title: `${productName} metadata API`,
      version: apiVersion,
      summary: `Releases, documentation, pricing and compatibility of ${productName}.`,
      description: `Public and read-mostly; no credential is needed to read. Errors are problem documents (RFC 9457): branch on \`code\`. Every path also exists under \`/api/v1/sandbox\`, with fixture data. The same data is available as tools of two MCP servers, at ${baseUrl}/mcp and ${baseUrl}/mcp/docs. ${versioningPolicy}`,
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
      schemas,
      responses: problems,
      headers,
      securitySchemes: securitySchemes(baseUrl),
    },
    'x-deprecation-policy': {
      minimum_notice_days: minimumNoticeDays,
      policy: versioningPolicy,
      versions: versionList(examples),
    },
  };
}

function usedHeaders(users: unknown, apiVersion: string): JsonSchema {
  const text = JSON.stringify(users);
  return Object.fromEntries(
    Object.entries(responseHeaders(apiVersion)).filter(([name]) => text.includes(`/headers/${name}"`)),
  );
}

function securitySchemes(baseUrl: string): JsonSchema {
  return {
    bearer: {
      type: 'http',
      scheme: 'bearer',
      description: `An access token. ${baseUrl}/auth.md explains how to get one.`,
    },
    client: { type: 'http', scheme: 'basic', description: 'The client’s ID and secret.' },
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
