/** The documents that lead to the authorization server, for the contract and the reference. */
import { renderAuthGuide } from '../oauth/auth-guide.ts';
import { authorizationServerMetadata, protectedResourceMetadata, protectedResourcePaths } from '../oauth/metadata.ts';
import type { Service } from '../operations/context.ts';
import type { EndpointContent, EndpointDescription } from '../operations/endpoint-description.ts';
import { authenticationTag } from './oauth-endpoints.ts';
import { oauthSchemas } from './oauth-schemas.ts';
import { unchanged } from './path-operation.ts';
import { everywhere } from './problems.ts';

export const oauthDocumentEndpoints = (
  service: Pick<Service, 'baseUrl' | 'limits'>,
  productName: string,
): EndpointDescription[] => [
  metadataEndpoint(
    '/.well-known/oauth-authorization-server',
    'getAuthorizationServerMetadata',
    'Get the authorization server’s metadata',
    'Endpoints and what they support (RFC 8414), with the `agent_auth` block.',
    {
      type: 'application/json',
      schema: oauthSchemas.AuthorizationServerMetadata,
      example: authorizationServerMetadata(service.baseUrl),
    },
  ),
  ...(['', ...protectedResourcePaths] as const).map((path) =>
    metadataEndpoint(
      `/.well-known/oauth-protected-resource${path === '' ? '' : `/${path}`}`,
      `get${path === '' ? 'Service' : pascalCase(path)}ResourceMetadata`,
      `Get the protected resource metadata of ${path === '' ? 'the service' : `/${path}`}`,
      `Protected resource metadata (RFC 9728): which authorization server issues tokens for ${path === '' ? 'the service' : `/${path}`}, and the scopes.`,
      {
        type: 'application/json',
        schema: oauthSchemas.ProtectedResourceMetadata,
        example: protectedResourceMetadata(service.baseUrl, productName, path),
      },
    ),
  ),
  authGuideEndpoint(service, productName),
];

const metadataEndpoint = (
  path: string,
  id: string,
  summary: string,
  description: string,
  content: EndpointContent,
): EndpointDescription => ({
  id,
  tag: authenticationTag.name,
  method: 'GET',
  path,
  summary,
  description,
  responses: {
    200: { description: 'The document.', content: [content] },
    304: unchanged,
  },
  errors: ['invalid_token', ...everywhere],
});

function authGuideEndpoint(
  { baseUrl, limits }: Pick<Service, 'baseUrl' | 'limits'>,
  productName: string,
): EndpointDescription {
  const guide = renderAuthGuide({ baseUrl, productName, limits });
  return {
    id: 'getAuthGuide',
    tag: authenticationTag.name,
    method: 'GET',
    path: '/auth.md',
    summary: 'Get the instructions for agents',
    description: 'How to get, use and revoke a credential, with commands that you can run unchanged.',
    responses: {
      200: {
        description: 'The instructions.',
        content: [{ type: 'text/markdown', schema: null, summary: 'The text', example: guide }],
      },
      304: unchanged,
    },
    errors: ['invalid_token', ...everywhere],
  };
}

const pascalCase = (path: string): string =>
  path
    .split('/')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
