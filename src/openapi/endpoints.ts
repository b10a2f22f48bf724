/** Describes every endpoint of the contract that is not an operation of the API. */
import { z } from 'zod';
import { writeCodes } from '../base/list-in-words.ts';
import { type ExportFormat, exportFilePattern, exportFormatNames, exportFormats } from '../jobs/exporter.ts';
import { renderAuthGuide } from '../oauth/auth-guide.ts';
import { createResourceMetadata, createServerMetadata, protectedResourcePaths } from '../oauth/metadata.ts';
import type { Service } from '../operations/context.ts';
import type { EndpointContent, EndpointDescription } from '../operations/endpoint-description.ts';
import type { Tag } from '../operations/operation.ts';
import { describeJson, describeOAuthEndpoints, describeText, type OAuthEndpoint } from './oauth-endpoints.ts';
import { oauthSchemas } from './oauth-schemas.ts';
import { toPascalCase } from './open-enums.ts';
import { describeOptionalHeader, notModified } from './responses.ts';

/** The tag of every endpoint of the authorization server. */
export const authenticationTag = {
  name: 'Authentication',
  description: 'An OAuth 2.0 authorization server that registers clients without approval, and its metadata documents.',
} as const;

type Published = Pick<Service, 'baseUrl' | 'limits'>;

/** Returns the descriptions of the endpoints that are no operations, in the order of the reference. */
export const describeEndpoints = (service: Published, productName: string): readonly EndpointDescription[] => [
  ...[...describeOAuthEndpoints(service.baseUrl), ...describeDocumentEndpoints(service, productName)].map(
    (endpoint) => ({ ...endpoint, tag: authenticationTag.name }),
  ),
  exportFileEndpoint,
];

/** Returns the descriptions of the documents by which clients find the authorization server: metadata and `/auth.md`. */
function describeDocumentEndpoints({ baseUrl, limits }: Published, productName: string): OAuthEndpoint[] {
  const resourceMetadata = (['', ...protectedResourcePaths] as const).map((path) => {
    const resource = path === '' ? 'the service' : `/${path}`;
    return {
      id: `get${path === '' ? 'Service' : toPascalCase(path)}ResourceMetadata`,
      path: `/.well-known/oauth-protected-resource${path === '' ? '' : `/${path}`}`,
      summary: `Get the protected resource metadata of ${resource}`,
      description: `Protected resource metadata (RFC 9728): which authorization server issues tokens for ${resource}, and the scopes.`,
      success: describeJson(
        'The document.',
        oauthSchemas.ProtectedResourceMetadata,
        createResourceMetadata(baseUrl, productName, path),
      ),
    };
  });
  const documents = [
    {
      id: 'getAuthorizationServerMetadata',
      path: '/.well-known/oauth-authorization-server',
      summary: 'Get the authorization server’s metadata',
      description: 'Endpoints and what they support (RFC 8414), with the `agent_auth` block.',
      success: describeJson('The document.', oauthSchemas.AuthorizationServerMetadata, createServerMetadata(baseUrl)),
    },
    ...resourceMetadata,
    {
      id: 'getAuthGuide',
      path: '/auth.md',
      summary: 'Get the instructions for agents',
      description: 'How to get, use and revoke a credential, with commands that you can run unchanged.',
      success: describeText(
        'The instructions.',
        'text/markdown',
        'The text',
        renderAuthGuide({ baseUrl, productName, limits }),
      ),
    },
  ];
  return documents.map(({ success, ...endpoint }) => ({
    ...endpoint,
    method: 'GET',
    responses: { 200: success, 304: notModified },
    errors: ['invalid_token'],
  }));
}

const guide = '---\ntitle: "Quickstart"\n---\n\nInstall the application.\n';
const emptyExport = { object: 'list', resource: 'faq', revision: 'a5', count: 0, data: [] };

/** The example of a file in each format. */
const fileExamples: Readonly<Record<ExportFormat, Omit<EndpointContent, 'type'>>> = {
  markdown: { schema: null, summary: 'The text', example: guide },
  json: { schema: 'object', summary: 'An export without items', example: emptyExport },
};

const file: readonly EndpointContent[] = exportFormatNames.map((name) => ({
  type: exportFormats[name].mediaType,
  ...fileExamples[name],
}));

/** The content of the response to a range request, in each format: a text, because a part of a JSON file is not JSON. */
const part: readonly EndpointContent[] = file.map(({ type, summary, example }) => {
  const whole = typeof example === 'string' ? example : JSON.stringify(example);
  return { type, schema: null, summary: `A part of: ${summary}`, example: whole.slice(0, 8) };
});

const exportExtensions = exportFormatNames.map((name) => `.${exportFormats[name].extension}`);

const ownHeaders = describeOptionalHeader('X-Service-Environment', 'On files of the sandbox');

const exportFileEndpoint: EndpointDescription = {
  id: 'getExportFile',
  tag: 'Exports' satisfies Tag,
  method: 'GET',
  path: '/exports/{file}',
  summary: 'Get the file of an export',
  description:
    'The file of a completed job, by the SHA-256 of its bytes; the job’s `result.url` links here. It is public and never changes. Range requests resume a download.',
  input: z.object({
    file: z
      .string()
      .regex(exportFilePattern)
      .max(69)
      .describe(`The hash in hexadecimal, with ${writeCodes(exportExtensions, 'or')}.`),
  }),
  example: { file: `${'a5'.repeat(32)}.md` },
  responses: {
    200: { description: 'The file.', headers: ['Accept-Ranges'], ownHeaders, content: file },
    206: {
      description: 'The bytes that `Range` asks for: one range (RFC 9110 section 14). `If-Range` takes the entity tag.',
      headers: ['Accept-Ranges', 'Content-Range'],
      ownHeaders,
      content: part,
    },
    304: { ...notModified, headers: ['Accept-Ranges'], ownHeaders },
  },
  errors: ['not_found', 'range_not_satisfiable'],
};
