/** Schemas of the responses of the authorization server, and of its requests, which it parses with the same schemas. */
import { z } from 'zod';
import { authMethods, clientMetadataSchema, describedFields, grantTypes } from '../oauth/client-metadata.ts';
import { consentDecisionSchema, revocationRequestSchema, tokenRequestSchema } from '../oauth/requests.ts';
import { clientIdPattern } from '../oauth/secrets.ts';
import { object, text } from '../operations/schemas.ts';

const scope = (description: string) => z.string().max(1000).describe(description);
const grants = z.array(z.enum(grantTypes)).min(1).max(10);
const seconds = z.int().min(0).max(99_999_999_999);
const clientId = z.string().regex(clientIdPattern);
const optionalText = (max: number, description: string) => text(max, description).optional();

const urls = z.array(z.url()).min(1).max(5);
const names = z.array(z.string().min(1).max(200)).min(1).max(20);
const methods = z.array(z.enum(authMethods)).min(1).max(10);

/** The schemas of requests by their names among the components; their lists of values are closed. */
export const oauthRequests = {
  ClientMetadata: clientMetadataSchema,
  TokenRequest: tokenRequestSchema,
  RevocationRequest: revocationRequestSchema,
  ConsentDecision: consentDecisionSchema,
};

/** All schemas by their names among the components. */
export const oauthSchemas = {
  ...oauthRequests,
  ClientInformation: object('A registered client (RFC 7591 section 3.2.1).', {
    client_id: clientId.describe('The client’s ID.'),
    client_secret: optionalText(200, 'Shown once, at registration; it cannot be retrieved later.'),
    client_id_issued_at: seconds.describe('Seconds since 1970.'),
    client_secret_expires_at: seconds.optional().describe('0 means never.'),
    ...describedFields,
    grant_types: grants.describe('The registered grant types.'),
    response_types: z.array(z.literal('code')).max(1).describe('`code` with the grant type `authorization_code`.'),
    token_endpoint_auth_method: z.enum(authMethods).describe('How the client authenticates.'),
    scope: scope('The widest scope that its tokens may have.'),
    registration_client_uri: z.url().describe('The URL at which the registration is read and deleted (RFC 7592).'),
    registration_access_token: text(200, 'The bearer token for that URL only.'),
    registration_type: z
      .enum(['anonymous', 'agent-provider'])
      .describe('Whether the client was registered with an assertion.'),
    credential_type: z.literal('oauth_client_credentials').describe('The type of the credential.'),
  }),
  TokenAnswer: object('An access token (RFC 6749 section 5.1).', {
    access_token: text(200, 'Opaque. Send it as `Authorization: Bearer <token>`.'),
    token_type: z.literal('Bearer').describe('RFC 6750.'),
    expires_in: z.int().min(1).max(86_400).describe('Seconds until it expires.'),
    scope: scope('What was granted.'),
    refresh_token: optionalText(200, 'With the code flow only. Each use replaces it.'),
  }),
  WhoAmI: object('The holder of a token.', {
    client_id: clientId.describe('The client that the token was issued to.'),
    scope: scope('The token’s scope.'),
    expires_at: seconds.describe('When the token expires, in seconds since 1970.'),
    rate_limit: object('The rate limit that its requests count against.', {
      policy: text(40, 'As in RateLimit-Policy.'),
      limit: z.int().min(1).max(1_000_000).describe('Requests in the window.'),
      window: z.int().min(1).max(86_400).describe('Seconds.'),
    }),
    identity_type: z
      .enum(['anonymous', 'identity_assertion'])
      .describe('Whether the client was registered with an assertion.'),
  }),
  AuthorizationServerMetadata: object('Authorization server metadata (RFC 8414).', {
    issuer: z.url().describe('The issuer identifier.'),
    authorization_endpoint: z.url().describe('RFC 6749 section 3.1.'),
    token_endpoint: z.url().describe('RFC 6749 section 3.2.'),
    registration_endpoint: z.url().describe('RFC 7591.'),
    revocation_endpoint: z.url().describe('RFC 7009.'),
    scopes_supported: names.describe('Every scope.'),
    response_types_supported: names.describe('Only `code`.'),
    response_modes_supported: names.describe('Only `query`.'),
    grant_types_supported: grants.describe('Every grant.'),
    token_endpoint_auth_methods_supported: methods.describe('How clients authenticate for a token.'),
    revocation_endpoint_auth_methods_supported: methods.describe('How clients authenticate to revoke.'),
    code_challenge_methods_supported: names.describe('Only `S256`.'),
    authorization_response_iss_parameter_supported: z.boolean().describe('RFC 9207.'),
    authorization_grant_profiles_supported: names.describe('Profiles of the JWT bearer grant.'),
    service_documentation: z.url().describe('Human-readable instructions.'),
    agent_auth: object('What an agent needs to register on its own.', {
      skill: z.url().describe('Instructions for an agent.'),
      register_uri: z.url().describe('Where an agent registers.'),
      claim_uri: z.url().describe('Where it exchanges its credential for a token.'),
      revocation_uri: z.url().describe('Where it revokes tokens.'),
      identity_types_supported: names.describe('The ways to register.'),
      anonymous: z.object({ credential_types_supported: names }).describe('A client that does not belong to a person.'),
      identity_assertion: z
        .object({ assertion_types_supported: names, credential_types_supported: names })
        .describe('A client that belongs to a person, by assertion.'),
    }),
  }),
  ProtectedResourceMetadata: object('Protected resource metadata (RFC 9728).', {
    resource: z.url().describe('The resource that this document is about.'),
    authorization_servers: urls.describe('The authorization servers that issue tokens for it.'),
    scopes_supported: names.describe('Every scope.'),
    bearer_methods_supported: names.describe('Only `header`.'),
    resource_name: text(200, 'Its name for people.'),
    resource_documentation: z.url().describe('Human-readable instructions.'),
  }),
};
