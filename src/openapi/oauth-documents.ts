/** The documents that lead to the authorization server, as OpenAPI path items. */
import { authMarkdown } from '../oauth/auth-md.ts';
import { authorizationServerMetadata, protectedResourceMetadata, protectedResourcePaths } from '../oauth/metadata.ts';
import type { Service } from '../operations/context.ts';
import type { JsonSchema } from './components.ts';
import { headerRefs } from './headers.ts';
import { authenticationTag } from './oauth-paths.ts';
import type { oauthSchemas } from './oauth-schemas.ts';
import { jsonAnswer, pathOperation, textContent, unchanged } from './path-operation.ts';
import { everywhere } from './problems.ts';

const stored = headerRefs(['Cache-Tag', 'Surrogate-Key']);

export function oauthDocumentPaths(service: Service, productName: string): JsonSchema {
  const { baseUrl } = service;
  return {
    '/.well-known/oauth-authorization-server': {
      get: metadataOperation(
        'getAuthorizationServerMetadata',
        'Get the authorization server’s metadata',
        'Endpoints and what they support (RFC 8414), with the `agent_auth` block.',
        'AuthorizationServerMetadata',
        authorizationServerMetadata(baseUrl),
      ),
    },
    ...Object.fromEntries(
      (['', ...protectedResourcePaths] as const).map((path) => [
        `/.well-known/oauth-protected-resource${path === '' ? '' : `/${path}`}`,
        {
          get: metadataOperation(
            `get${path === '' ? 'Service' : pascalCase(path)}ResourceMetadata`,
            `Get the protected resource metadata of ${path === '' ? 'the service' : `/${path}`}`,
            `Protected resource metadata (RFC 9728): which authorization server issues tokens for ${path === '' ? 'the service' : `/${path}`}, and the scopes.`,
            'ProtectedResourceMetadata',
            protectedResourceMetadata(baseUrl, productName, path),
          ),
        },
      ]),
    ),
    '/auth.md': { get: authGuideOperation(service, productName) },
  };
}

function metadataOperation(
  id: string,
  summary: string,
  description: string,
  schema: keyof typeof oauthSchemas,
  value: object,
): JsonSchema {
  return pathOperation({
    id,
    tag: authenticationTag.name,
    summary,
    description,
    responses: {
      200: { ...jsonAnswer('The document.', schema, value), headers: stored },
      304: { ...unchanged, headers: stored },
    },
    errors: ['invalid_token', ...everywhere],
  });
}

function authGuideOperation({ baseUrl, limits }: Service, productName: string): JsonSchema {
  const { anonymous, authenticated, registration: registrations, issue: tokens } = limits;
  const guide = authMarkdown({ baseUrl, productName, limits: { anonymous, authenticated, registrations, tokens } });
  return pathOperation({
    id: 'getAuthGuide',
    tag: authenticationTag.name,
    summary: 'Get the instructions for agents',
    description: 'How to get, use and revoke a credential, with commands that you can run unchanged.',
    responses: {
      200: { description: 'The instructions.', headers: stored, content: textContent('text/markdown', guide) },
      304: { ...unchanged, headers: stored },
    },
    errors: ['invalid_token', ...everywhere],
  });
}

const pascalCase = (path: string): string =>
  path
    .split('/')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
