/** Builds the OpenAPI 3.1 document from the operations and from the descriptions of all other endpoints. */
import { setImmediate } from 'node:timers/promises';
import type { Catalog } from '../catalog/catalog.ts';
import { scopes } from '../oauth/scopes.ts';
import type { Context } from '../operations/context.ts';
import type { Operation, Tag } from '../operations/operation.ts';
import { createResponseHeaders } from '../operations/response-headers.ts';
import { listMcpServers, listVersions, versioningPolicy } from '../operations/service-index.ts';
import { minimumNoticeDays } from '../operations/versions.ts';
import { addSandbox, createComponentSchemas, sortByName } from './components.ts';
import { authenticationTag, describeEndpoints } from './endpoints.ts';
import { oauthRequests, oauthSchemas } from './oauth-schemas.ts';
import {
  createEndpointObject,
  createOperationObject,
  type DescribeProblems,
  type OperationObject,
  runExamples,
  sharedParameters,
} from './operation-object.ts';
import { createProblemResponses, type ResponseObject, sharedUnchanged } from './responses.ts';

const tags: Record<Tag, string> = {
  Service: 'The index of the service.',
  Releases: 'Releases of the application, from its signed update feed.',
  Documentation: 'Documentation pages and frequently asked questions.',
  Product: 'Pricing, features, requirements and compatibility.',
  Search: 'Full-text search.',
  Batch: 'Several reads in one round trip.',
  Exports: 'Asynchronous exports of whole collections.',
};

/** The operations and the catalogs that the document describes. */
export interface OpenApiOptions {
  readonly operations: readonly Operation[];
  /** The sandbox's context, whose responses are the examples because they never change. */
  readonly examples: Context;
  /** The catalog of production, from which the examples of its parameters are. */
  readonly catalog: Catalog;
  readonly productName: string;
}

/**
 * Returns the OpenAPI 3.1 document of all endpoints, in production and in the sandbox, as plain data; rejects if an example fails.
 * The same operations, fixtures and catalog give the same text.
 */
export async function openApiDocument(options: OpenApiOptions) {
  const { operations, examples, catalog, productName } = options;
  const { baseUrl, apiVersion } = examples.service;
  const problems: Record<string, ResponseObject> = {};
  const describeProblems: DescribeProblems = (list, kind) =>
    Object.fromEntries(
      createProblemResponses(list, kind, baseUrl).map(({ status, name, response }) => {
        problems[name] = response;
        return [status, { $ref: `#/components/responses/${name}` }];
      }),
    );
  const paths: Record<string, Record<string, OperationObject>> = {};
  const add = (path: string, method: string, object: OperationObject) => {
    paths[path] = { ...paths[path], [method.toLowerCase()]: object };
  };
  for (const sandbox of [false, true]) {
    for (const operation of operations) {
      // Requests get a turn of the event loop between the examples of two operations.
      await setImmediate();
      const path = `/api/v1${sandbox ? '/sandbox' : ''}${operation.path}`;
      const responses = await runExamples(operation, sandbox, examples);
      add(path, operation.method, createOperationObject(operation, sandbox, responses, describeProblems, catalog));
    }
  }
  for (const endpoint of describeEndpoints(examples.service, productName)) {
    add(endpoint.path, endpoint.method, createEndpointObject(endpoint, describeProblems));
  }
  await setImmediate();
  const schemas = createComponentSchemas(operations, oauthSchemas, new Set(Object.keys(oauthRequests)));
  await setImmediate();
  // `Allow` belongs to 405, which no described method returns.
  const { Allow: _, ...headers } = createResponseHeaders(apiVersion);
  return {
    openapi: '3.1.1',
    info: {
      title: `${productName} metadata API`,
      version: apiVersion,
      summary: `Releases, documentation, pricing and compatibility of ${productName}.`,
      description: `Public and read-mostly; no credential is needed to read. Errors are problem documents (RFC 9457): branch on \`code\`. Every path also exists under \`/api/v1/sandbox\`, with fixture data. The same data is available as tools of two MCP servers, at ${baseUrl}/mcp and ${baseUrl}/mcp/docs. ${versioningPolicy}`,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    externalDocs: { description: 'Developer documentation', url: `${baseUrl}/developers` },
    servers: [{ url: baseUrl, description: 'This service.' }],
    'x-mcp-servers': listMcpServers(baseUrl, productName),
    tags: [
      ...Object.entries(tags)
        .filter(([name]) => operations.some(({ tag }) => tag === name))
        .map(([name, description]) => ({ name, description })),
      authenticationTag,
    ],
    paths,
    components: {
      schemas: addSandbox(schemas, operations),
      responses: sortByName({ ...problems, ...sharedUnchanged }),
      parameters: sharedParameters,
      headers,
      securitySchemes: createSecuritySchemes(baseUrl),
    },
    'x-deprecation-policy': {
      minimum_notice_days: minimumNoticeDays,
      policy: versioningPolicy,
      versions: listVersions(examples),
    },
  };
}

function createSecuritySchemes(baseUrl: string) {
  const tokenUrl = `${baseUrl}/oauth/token`;
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
        clientCredentials: { tokenUrl, scopes },
        authorizationCode: { authorizationUrl: `${baseUrl}/oauth/authorize`, tokenUrl, scopes },
      },
    },
  };
}
