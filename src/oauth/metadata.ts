/** The metadata documents of the authorization server (RFC 8414) and the protected resource (RFC 9728). */

import { authMethods, grantTypes } from './client-metadata.ts';
import { scopeNames } from './scopes.ts';
import { assertionTypes } from './trusted-issuers.ts';

const credentialTypes = ['oauth_client_credentials'];

/**
 * Returns the authorization server's metadata, the document of RFC 8414 section 2, as an object, with the `agent_auth` block. The
 * issuer equals `baseUrl`, byte for byte.
 */
export const createServerMetadata = (baseUrl: string) => ({
  issuer: baseUrl,
  authorization_endpoint: `${baseUrl}/oauth/authorize`,
  token_endpoint: `${baseUrl}/oauth/token`,
  registration_endpoint: `${baseUrl}/oauth/register`,
  revocation_endpoint: `${baseUrl}/oauth/revoke`,
  scopes_supported: scopeNames,
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: grantTypes,
  token_endpoint_auth_methods_supported: authMethods,
  revocation_endpoint_auth_methods_supported: authMethods,
  code_challenge_methods_supported: ['S256'],
  authorization_response_iss_parameter_supported: true,
  authorization_grant_profiles_supported: ['urn:ietf:params:oauth:grant-profile:id-jag'],
  service_documentation: `${baseUrl}/auth.md`,
  agent_auth: {
    skill: `${baseUrl}/auth.md`,
    register_uri: `${baseUrl}/oauth/register`,
    claim_uri: `${baseUrl}/oauth/token`,
    revocation_uri: `${baseUrl}/oauth/revoke`,
    identity_types_supported: ['anonymous', 'identity_assertion'],
    anonymous: { credential_types_supported: credentialTypes },
    identity_assertion: {
      assertion_types_supported: assertionTypes,
      credential_types_supported: credentialTypes,
    },
  },
});

/** Paths that have a document, at `/.well-known/oauth-protected-resource/{path}` (RFC 9728 section 3.1). */
export const protectedResourcePaths = ['api/v1', 'agent/auth', 'mcp', 'mcp/docs'] as const;

/**
 * Returns the metadata of a protected resource, the document of RFC 9728 section 2, as an object; without a path that of the whole
 * service, to which the challenges link.
 */
export const createResourceMetadata = (
  baseUrl: string,
  productName: string,
  path: (typeof protectedResourcePaths)[number] | '' = '',
) => ({
  resource: path === '' ? baseUrl : `${baseUrl}/${path}`,
  authorization_servers: [baseUrl],
  scopes_supported: scopeNames,
  bearer_methods_supported: ['header'],
  resource_name: `${productName} API`,
  resource_documentation: `${baseUrl}/auth.md`,
});
