/** The service index: every endpoint, the limits, the versions, and where everything else is. */

import { z } from 'zod';
import type { Context } from './context.ts';
import { joinBlocks, writeTable } from './markdown.ts';
import { defineOperation, getOperationId, type Operation } from './operation.ts';
import { createKindSchema, object, objects, text } from './schemas.ts';
import { getVersionStatus, minimumNoticeDays } from './versions.ts';

const rateLimitSchema = z.object({
  name: text(40, 'The limit’s name in the RateLimit-Policy header.'),
  requests: z.int().min(1).max(1_000_000).describe('Requests in the window.'),
  window_seconds: z.int().min(1).max(86_400).describe('The window’s length.'),
  applies_to: text(200, 'A sentence that says what is counted, and for whom.'),
});

const endpointSchema = z.object({
  operation_id: text(64, 'The operation’s ID in the OpenAPI document.'),
  method: z.enum(['GET', 'POST']).describe('The HTTP method.'),
  path: text(200, 'The path, with `{name}` for a path parameter.'),
  url: text(2000, 'The path as an absolute URL template.'),
  description: text(400, 'A summary of the operation.'),
  scope: text(40, 'The scope that covers this operation; required only for exports.').nullable(),
  token_required: z.boolean().describe('Whether a token is required.'),
});

const versionSchema = z.object({
  version: text(10, 'The version’s name in the path.'),
  status: z.enum(['current', 'deprecated', 'retired']).describe('Retired versions return 410.'),
  deprecated_at: z.iso.date().nullable().describe('The date of its deprecation, or null.'),
  sunset_at: z.iso.date().nullable().describe('The date from which it returns 410, or null.'),
  successor: text(10, 'The version to use instead, or null.').nullable(),
});

const indexSchema = object('The service index.', {
  object: createKindSchema('index'),
  api_version: z.iso.date().describe('The date of the server’s build.'),
  base_url: z.url().describe('The origin of every URL here.'),
  endpoints: z.array(endpointSchema).max(100).describe('Every endpoint of this API.'),
  rate_limits: z.array(rateLimitSchema).max(20).describe('The limits, by the name of their policy.'),
  openapi_url: z.url().describe('The contract, OpenAPI 3.1.'),
  sdk_openapi_url: z.url().describe('The contract in the form that code generators handle best: JSON only.'),
  mcp_servers: objects('The MCP servers, which need no credential.', 10, {
    name: text(100, 'The server’s name.'),
    url: z.url().describe('The URL to which JSON-RPC messages are posted.'),
    description: text(300, 'A sentence about what the server provides.'),
  }),
  auth: object('The URLs at which an optional credential is obtained.', {
    protected_resource_metadata: z.url().describe('RFC 9728.'),
    authorization_server_metadata: z.url().describe('RFC 8414.'),
    registration_endpoint: z.url().describe('RFC 7591; no approval is needed.'),
    token_endpoint: z.url().describe('RFC 6749.'),
    revocation_endpoint: z.url().describe('RFC 7009.'),
    skill: z.url().describe('Instructions for an agent that wants a credential.'),
  }),
  sandbox_url: z.url().describe('The base URL of the same API over fixture data.'),
  docs_url: z.url().describe('The developer documentation.'),
  errors_url: z.url().describe('The error reference.'),
  versioning: object('The versions and the deprecation policy.', {
    current: text(10, 'The version to use.'),
    minimum_notice_days: z
      .int()
      .min(180)
      .max(3650)
      .describe('The minimum number of days between the first Deprecation header and the sunset.'),
    policy: text(1000, 'The policy in words.'),
    policy_url: z.url().describe('The policy as a page.'),
    versions: z.array(versionSchema).max(20).describe('Every version, retired ones included.'),
  }),
});

/** The promise about changes of the API, as the index and the reference print it. */
export const versioningPolicy =
  'Additions to a version come without notice; clients must ignore unknown fields. Breaking changes get a new version. Every response of a version that will be removed carries Deprecation, Sunset and Link headers.';

/** Creates the operation that returns the service index, with the operations that `all` returns, itself included. */
export function createServiceIndex(all: () => readonly Operation[]): Operation {
  return defineOperation({
    id: 'getIndex',
    path: '',
    tag: 'Service',
    summary: 'Get the service index',
    description:
      'Every endpoint, the rate limits, the versions, and links to the contract, the MCP servers and the auth metadata.',
    examples: [{ summary: 'The index', input: {} }],
    input: z.object({}),
    output: indexSchema,
    outputName: 'ServiceIndex',
    links: writeDiscoveryLinks,
    run: (context) => createIndexBody(context, all()),
    markdown: (body, context) =>
      joinBlocks(
        `# ${context.catalog.content.product.name}: metadata API ${body.versioning.current}`,
        `Build ${body.api_version}. Contract: <${body.openapi_url}>. Documentation: <${body.docs_url}>. Errors: <${body.errors_url}>. Sandbox: <${body.sandbox_url}>.`,
        '## Endpoints',
        writeTable(
          ['Method', 'Path', 'What it does', 'Scope'],
          body.endpoints.map(({ method, path, description, scope }) => [method, `\`${path}\``, description, scope]),
        ),
        '## Rate limits',
        writeTable(
          ['Policy', 'Requests', 'Seconds', 'Applies to'],
          body.rate_limits.map((limit) => [limit.name, limit.requests, limit.window_seconds, limit.applies_to]),
        ),
        '## MCP servers',
        body.mcp_servers.map(({ name, url, description }) => `- ${name}: <${url}> ${description}`).join('\n'),
      ),
  });
}

function createIndexBody(context: Context, operations: readonly Operation[]): z.input<typeof indexSchema> {
  const { service, apiRoot, catalog } = context;
  const { baseUrl, limits } = service;
  const rootPath = apiRoot.slice(baseUrl.length);
  const current = service.versions.find(({ served }) => served);
  const describeLimit = (name: string, requests: number, applies_to: string, window_seconds = 60) => ({
    name,
    requests,
    window_seconds,
    applies_to,
  });
  return {
    object: 'index',
    api_version: service.apiVersion,
    base_url: baseUrl,
    endpoints: operations.map((operation) => ({
      operation_id: getOperationId(context.environment, operation),
      method: operation.method,
      path: rootPath + operation.path,
      url: apiRoot + operation.path,
      description: operation.summary,
      scope: operation.scope,
      token_required: operation.tokenRequired && context.environment === 'production',
    })),
    rate_limits: [
      describeLimit('anonymous', limits.anonymous, 'API, OAuth and MCP requests without a token, per address'),
      describeLimit('authenticated', limits.authenticated, 'requests with a token, per client'),
      describeLimit('sandbox', limits.sandbox, 'sandbox requests, per address'),
      describeLimit('pages', limits.pages, 'the site and its files, per address'),
      describeLimit('address', limits.address, 'requests with a token, all clients of an address together'),
      describeLimit('registration', limits.registration, 'clients registered, per address', 3600),
      describeLimit('issue', limits.issue, 'tokens issued, per client'),
      describeLimit('refused', limits.refused, 'refused tokens, per address'),
    ],
    openapi_url: `${baseUrl}/openapi.json`,
    sdk_openapi_url: `${baseUrl}/openapi.sdk.json`,
    mcp_servers: listMcpServers(baseUrl, catalog.content.product.name),
    auth: {
      protected_resource_metadata: `${baseUrl}/.well-known/oauth-protected-resource`,
      authorization_server_metadata: `${baseUrl}/.well-known/oauth-authorization-server`,
      registration_endpoint: `${baseUrl}/oauth/register`,
      token_endpoint: `${baseUrl}/oauth/token`,
      revocation_endpoint: `${baseUrl}/oauth/revoke`,
      skill: `${baseUrl}/auth.md`,
    },
    sandbox_url: `${baseUrl}/api/v1/sandbox`,
    docs_url: `${baseUrl}/developers`,
    errors_url: `${baseUrl}/developers/errors`,
    versioning: {
      current: current?.name ?? 'v1',
      minimum_notice_days: minimumNoticeDays,
      policy: versioningPolicy,
      policy_url: `${baseUrl}/developers/versioning`,
      versions: listVersions(context),
    },
  };
}

/**
 * Returns every version of the API for the index and the contract, newest first: its name, its status now, the days (`YYYY-MM-DD`)
 * of its deprecation and sunset or null, and the name of its successor or null.
 */
export const listVersions = ({ service, now }: Context) =>
  service.versions.map((version) => ({
    version: version.name,
    status: getVersionStatus(version, now()),
    deprecated_at: version.deprecated,
    sunset_at: version.sunset,
    successor: version.successor,
  }));

/** Returns the name, URL and description of each MCP server, for the index and the contract. */
export const listMcpServers = (baseUrl: string, productName: string) => [
  {
    name: productName,
    url: `${baseUrl}/mcp`,
    description: 'Releases, compatibility, requirements, features, pricing and documentation.',
  },
  {
    name: `${productName} documentation`,
    url: `${baseUrl}/mcp/docs`,
    description: 'Documentation and FAQ only.',
  },
];

/** Returns the value of the Link header (RFC 8288) of the front page and of the API's index: links to the service's descriptions. */
export const writeDiscoveryLinks = (baseUrl: string): string =>
  [
    `<${baseUrl}/.well-known/api-catalog>; rel="api-catalog"`,
    `<${baseUrl}/openapi.json>; rel="service-desc"; type="application/vnd.oai.openapi+json;version=3.1"`,
    `<${baseUrl}/developers>; rel="service-doc"; type="text/html"`,
    `<${baseUrl}/llms.txt>; rel="describedby"; type="text/plain"`,
    `<${baseUrl}/auth.md>; rel="help"; type="text/markdown"`,
  ].join(', ');
