/** Parameters and examples of the authorization server's paths. */
import { tokenLifetime } from '../oauth/lifetimes.ts';
import { defaultScopes, scopeNames } from '../oauth/scopes.ts';
import { clientIdPattern } from '../oauth/secrets.ts';
import type { EndpointContent, EndpointParameter } from '../operations/endpoint-description.ts';

export const everyScope = scopeNames.join(' ');

const clientIdExample = 'cl_0A1b2C3d4E5f6G7h';

export const clientIdParameter: EndpointParameter = {
  name: 'client_id',
  in: 'path',
  required: true,
  description: 'The client’s ID.',
  schema: { type: 'string', pattern: clientIdPattern.source },
  example: clientIdExample,
};

const parameter = (name: string, description: string, example: string, required = true): EndpointParameter => ({
  name,
  in: 'query',
  required,
  description,
  schema: { type: 'string', maxLength: 2000 },
  example,
});

export const authorizationParameters: readonly EndpointParameter[] = [
  parameter('response_type', '`code`.', 'code'),
  parameter('client_id', 'The client’s ID.', clientIdExample),
  parameter(
    'redirect_uri',
    'A registered redirect URI; optional if only one is registered.',
    'https://app.example/cb',
    false,
  ),
  parameter('scope', 'Space-separated; by default every registered scope.', 'read:docs', false),
  parameter('state', 'Returned unchanged.', 'af0ifjsldkj', false),
  parameter(
    'code_challenge',
    'The SHA-256 of the verifier, in base64url (RFC 7636).',
    'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  ),
  parameter('code_challenge_method', '`S256`.', 'S256'),
];

export const registrationExample = {
  client_name: 'my-agent',
  grant_types: ['client_credentials'],
  token_endpoint_auth_method: 'client_secret_basic',
  scope: everyScope,
};

export const clientExample = (baseUrl: string) => ({
  client_id: clientIdExample,
  client_secret: 'cs_xwGMjQ8bruIdcdxXYhVctG3SI4H9FHfkFcwWubh5xbD',
  client_id_issued_at: 1_795_239_834,
  client_secret_expires_at: 0,
  ...registrationExample,
  response_types: [],
  registration_client_uri: `${baseUrl}/oauth/register/${clientIdExample}`,
  registration_access_token: 'rat_Lm6uy4fOSLjROqPdM1EPGJ3Me8ckWxpfPYDAsfLoH5B',
  registration_type: 'anonymous',
  credential_type: 'oauth_client_credentials',
});

export const withoutSecret = ({ client_secret: _, ...rest }: ReturnType<typeof clientExample>) => rest;

export const tokenExample = {
  access_token: 'at_u9KkYmDFIWh5gtIFxQe3DDTk0iUFVV0BgmtuoBPioVv',
  token_type: 'Bearer',
  expires_in: tokenLifetime / 1000,
  scope: everyScope,
};

export const whoAmIExample = {
  client_id: clientIdExample,
  scope: defaultScopes.join(' '),
  expires_at: 1_795_243_434,
  rate_limit: { policy: 'authenticated', limit: 600, window: 60 },
  identity_type: 'anonymous',
};

export const consentPageExample: EndpointContent = {
  type: 'text/html',
  schema: null,
  summary: 'The page, in short',
  example: '<!doctype html><title>Allow access?</title>',
};
