/** The endpoints of the authorization server, for the contract and the reference. */
import { durationInWords } from '../base/amount-in-words.ts';
import type { Code } from '../base/problem-codes.ts';
import type { EndpointContent, EndpointDescription, EndpointResponse } from '../operations/endpoint-description.ts';
import { idempotencyLifetime } from '../store/idempotency.ts';
import {
  authorizationParameters,
  clientExample,
  clientIdParameter,
  consentPageExample,
  everyScope,
  registrationExample,
  tokenExample,
  whoAmIExample,
  withoutSecret,
} from './oauth-examples.ts';
import { oauthSchemas } from './oauth-schemas.ts';
import { unchanged } from './path-operation.ts';
import { everywhere } from './problems.ts';

export const authenticationTag = {
  name: 'Authentication',
  description: 'An OAuth 2.0 authorization server that registers clients without approval, and its metadata documents.',
} as const;

const tag = authenticationTag.name;

export const oauthEndpoints = (baseUrl: string): EndpointDescription[] => [
  ...registrationEndpoints(baseUrl),
  issueToken,
  revokeToken,
  requestAuthorization,
  decideAuthorization,
  getAgentAuth,
];

const registrationEndpoints = (baseUrl: string): EndpointDescription[] => [
  {
    id: 'registerClient',
    tag,
    method: 'POST',
    path: '/oauth/register',
    summary: 'Register a client',
    description: `Client registration (RFC 7591), without approval. The secret is shown once. With an Idempotency-Key, a retry within ${durationInWords(idempotencyLifetime)} returns the same client, including its secret.`,
    takesKey: true,
    body: { type: 'application/json', schema: oauthSchemas.ClientMetadata, example: registrationExample },
    responses: { 201: json('The client.', 'ClientInformation', clientExample(baseUrl), postHeaders) },
    isOAuth: true,
    errors: [
      ...postErrors,
      'invalid_client_metadata',
      'invalid_redirect_uri',
      'invalid_grant',
      'invalid_token',
      'idempotency_conflict',
    ],
  },
  {
    id: 'readRegistration',
    tag,
    method: 'GET',
    path: '/oauth/register/{client_id}',
    summary: 'Read a registration',
    description: 'The registration without its secret (RFC 7592 section 2.1).',
    credential: 'registration',
    parameters: [clientIdParameter],
    responses: {
      200: json('The registration.', 'ClientInformation', withoutSecret(clientExample(baseUrl))),
      304: unchanged,
    },
    isOAuth: true,
    errors: ['invalid_token', ...everywhere],
  },
  {
    id: 'deleteRegistration',
    tag,
    method: 'DELETE',
    path: '/oauth/register/{client_id}',
    summary: 'Delete a registration',
    description: 'Revokes the client and all its tokens at once (RFC 7592 section 2.3). This cannot be undone.',
    credential: 'registration',
    parameters: [clientIdParameter],
    responses: { 204: { description: 'The registration is deleted, or was deleted before.' } },
    isOAuth: true,
    errors: ['invalid_token', ...everywhere],
  },
];

const postErrors: readonly Code[] = [...everywhere, 'payload_too_large', 'unsupported_media_type'];
const postHeaders = ['Idempotency-Key', 'Idempotent-Replayed'];
const form = 'application/x-www-form-urlencoded';

const issueToken: EndpointDescription = {
  id: 'issueToken',
  tag,
  method: 'POST',
  path: '/oauth/token',
  summary: 'Get an access token',
  description:
    'The token endpoint (RFC 6749 section 3.2): `client_credentials`, `authorization_code` with PKCE, and the JWT bearer grant with an ID-JAG. The client authenticates by HTTP Basic or in the form. A new token never ends another one. A client that requests more than its limit in a minute gets 429, and `Retry-After` says when to try again.',
  credential: 'client',
  takesKey: true,
  body: {
    type: form,
    schema: oauthSchemas.TokenRequest,
    example: { grant_type: 'client_credentials', scope: everyScope },
  },
  responses: { 200: json('The token.', 'TokenAnswer', tokenExample, postHeaders) },
  isOAuth: true,
  errors: [...postErrors, 'invalid_client', 'invalid_grant', 'invalid_scope', 'idempotency_conflict'],
};

const revokeToken: EndpointDescription = {
  id: 'revokeToken',
  tag,
  method: 'POST',
  path: '/oauth/revoke',
  summary: 'Revoke a token or a client',
  description:
    'Revokes an access token, or a client’s secret, which revokes the client and all its tokens (RFC 7009). The response is 200 whether or not the token existed.',
  credential: 'client',
  takesKey: true,
  body: { type: form, schema: oauthSchemas.RevocationRequest, example: { token: tokenExample.access_token } },
  responses: {
    200: {
      description: 'The token is revoked, or was revoked before.',
      headers: postHeaders,
      content: [{ type: 'application/json', schema: 'empty', example: {} }],
    },
  },
  isOAuth: true,
  errors: [...postErrors, 'invalid_client', 'idempotency_conflict'],
};

const requestAuthorization: EndpointDescription = {
  id: 'requestAuthorization',
  tag,
  method: 'GET',
  path: '/oauth/authorize',
  summary: 'Ask a person for consent',
  description:
    'The authorization endpoint (RFC 6749 section 3.1), for a browser: a page that asks the person for consent, without an account. Its form is posted to the same URL, and the browser is redirected to the client with a code. Errors are also returned by redirect, unless the client or its redirect URI is invalid: then the response is a problem document.',
  parameters: authorizationParameters,
  responses: {
    200: { description: 'The consent page.', content: [consentPageExample] },
    302: { description: 'Redirect to the client, with `error`.', headers: ['Location'] },
  },
  errors: [...everywhere, 'invalid_token'],
};

const decideAuthorization: EndpointDescription = {
  id: 'decideAuthorization',
  tag,
  method: 'POST',
  path: '/oauth/authorize',
  summary: 'Answer the consent page',
  description: 'The form of the consent page, sent by the browser that shows it. Forms from other sites are refused.',
  body: {
    type: form,
    schema: oauthSchemas.ConsentDecision,
    example: { ticket: 'ct_2KrCwkN8JTbS1sPqXv4uYdZ0aLmE9fGhB7nQxT3cVwR', decision: 'allow' },
  },
  responses: {
    303: {
      description: 'Redirect to the client, with a code or with `error=access_denied`.',
      headers: ['Location', ...postHeaders],
    },
  },
  errors: [...postErrors, 'invalid_token', 'forbidden_origin', 'idempotency_conflict'],
};

const getAgentAuth: EndpointDescription = {
  id: 'getAgentAuth',
  tag,
  method: 'GET',
  path: '/agent/auth',
  summary: 'Get the holder of a token',
  description:
    'The protected entry point. Without a token it returns 401 with a challenge that links to the metadata; with a token it returns the token’s client, scope and rate limit.',
  credential: 'token',
  responses: { 200: json('The token’s holder.', 'WhoAmI', whoAmIExample), 304: unchanged },
  errors: ['unauthorized', 'invalid_token', ...everywhere],
};

function json(
  description: string,
  name: keyof typeof oauthSchemas,
  example: EndpointContent['example'],
  headers: readonly string[] = [],
): EndpointResponse {
  return { description, headers, content: [{ type: 'application/json', schema: oauthSchemas[name], example }] };
}
