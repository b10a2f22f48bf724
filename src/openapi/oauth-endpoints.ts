/** Describes the endpoints of the authorization server, with the schemas that it reads with and examples of its responses. */
import { z } from 'zod';
import { writeDuration } from '../base/amount-in-words.ts';
import type { Code } from '../base/problem-codes.ts';
import { tokenLifetime } from '../oauth/lifetimes.ts';
import { authorizationRequestSchema } from '../oauth/requests.ts';
import { defaultScopes, scopeNames } from '../oauth/scopes.ts';
import { clientIdPattern } from '../oauth/secrets.ts';
import { describePrincipal } from '../oauth/verify.ts';
import type { EndpointDescription, EndpointResponse } from '../operations/endpoint-description.ts';
import { idempotencyLifetime } from '../store/idempotency.ts';
import { oauthSchemas } from './oauth-schemas.ts';
import { notModified } from './responses.ts';

/** The description of an endpoint of the authorization server without its tag, which all these endpoints share. */
export type OAuthEndpoint = Omit<EndpointDescription, 'tag'>;

/** Returns the descriptions of the endpoints of the authorization server, in the order of the reference. */
export const describeOAuthEndpoints = (baseUrl: string): OAuthEndpoint[] => [
  {
    id: 'registerClient',
    method: 'POST',
    path: '/oauth/register',
    summary: 'Register a client',
    description: `Client registration (RFC 7591), without approval. The secret is shown once. With an Idempotency-Key, a retry within ${writeDuration(idempotencyLifetime)} returns the same client, including its secret.`,
    input: oauthSchemas.ClientMetadata,
    example: registrationExample,
    bodyType: 'application/json',
    responses: {
      201: describeJson('The client.', oauthSchemas.ClientInformation, createClientExample(baseUrl, true), postHeaders),
    },
    errors: [...postErrors, 'invalid_client_metadata', 'invalid_redirect_uri', 'invalid_grant', 'invalid_token'],
  },
  {
    id: 'readRegistration',
    method: 'GET',
    path: '/oauth/register/{client_id}',
    summary: 'Read a registration',
    description: 'The registration without its secret (RFC 7592 section 2.1).',
    credential: 'registration',
    ...registration,
    responses: {
      200: describeJson('The registration.', oauthSchemas.ClientInformation, createClientExample(baseUrl, false)),
      304: notModified,
    },
    errors: ['invalid_token'],
  },
  {
    id: 'deleteRegistration',
    method: 'DELETE',
    path: '/oauth/register/{client_id}',
    summary: 'Delete a registration',
    description: 'Revokes the client and all its tokens at once (RFC 7592 section 2.3). This cannot be undone.',
    credential: 'registration',
    ...registration,
    responses: { 204: { description: 'The registration is deleted, or was deleted before.' } },
    errors: ['invalid_token'],
  },
  {
    id: 'issueToken',
    method: 'POST',
    path: '/oauth/token',
    summary: 'Get an access token',
    description:
      'The token endpoint (RFC 6749 section 3.2): `client_credentials`, `authorization_code` with PKCE, and the JWT bearer grant with an ID-JAG. The client authenticates by HTTP Basic or in the form. A new token never ends another one. A client that requests more than its limit in a minute gets 429, and `Retry-After` says when to try again.',
    credential: 'client',
    input: oauthSchemas.TokenRequest,
    example: { grant_type: 'client_credentials', scope },
    bodyType: form,
    responses: { 200: describeJson('The token.', oauthSchemas.TokenAnswer, tokenExample, postHeaders) },
    errors: [...postErrors, 'invalid_client', 'invalid_grant', 'invalid_scope'],
  },
  {
    id: 'revokeToken',
    method: 'POST',
    path: '/oauth/revoke',
    summary: 'Revoke a token or a client',
    description:
      'Revokes an access token, or a client’s secret, which revokes the client and all its tokens (RFC 7009). The response is 200 whether or not the token existed.',
    credential: 'client',
    input: oauthSchemas.RevocationRequest,
    example: { token: tokenExample.access_token },
    bodyType: form,
    responses: {
      200: {
        description: 'The token is revoked, or was revoked before.',
        headers: postHeaders,
        content: [{ type: 'application/json', schema: 'empty', example: {} }],
      },
    },
    errors: [...postErrors, 'invalid_client'],
  },
  {
    id: 'requestAuthorization',
    method: 'GET',
    path: '/oauth/authorize',
    summary: 'Ask a person for consent',
    description:
      'The authorization endpoint (RFC 6749 section 3.1), for a browser: a page that asks the person for consent, without an account. Its form is posted to the same URL, and the browser is redirected to the client with a code. Errors are also returned by redirect, unless the client or its redirect URI is invalid: then the response is a problem document.',
    input: authorizationRequestSchema,
    example: {
      response_type: 'code',
      client_id: clientId,
      redirect_uri: 'https://app.example/cb',
      scope: 'read:docs',
      state: 'af0ifjsldkj',
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      code_challenge_method: 'S256',
    },
    responses: {
      200: describeText(
        'The consent page.',
        'text/html',
        'The page, in short',
        '<!doctype html><title>Allow access?</title>',
      ),
      302: { description: 'Redirect to the client, with `error`.', headers: ['Location'] },
    },
    errors: ['invalid_token'],
  },
  {
    id: 'decideAuthorization',
    method: 'POST',
    path: '/oauth/authorize',
    summary: 'Answer the consent page',
    description: 'The form of the consent page, sent by the browser that shows it. Forms from other sites are refused.',
    input: oauthSchemas.ConsentDecision,
    example: { ticket: 'ct_2KrCwkN8JTbS1sPqXv4uYdZ0aLmE9fGhB7nQxT3cVwR', decision: 'allow' },
    bodyType: form,
    responses: {
      303: {
        description: 'Redirect to the client, with a code or with `error=access_denied`.',
        headers: ['Location', ...postHeaders],
      },
    },
    errors: [...postErrors, 'invalid_token', 'forbidden_origin'],
  },
  {
    id: 'getAgentAuth',
    method: 'GET',
    path: '/agent/auth',
    summary: 'Get the holder of a token',
    description:
      'The protected entry point. Without a token it returns 401 with a challenge that links to the metadata; with a token it returns the token’s client, scope and rate limit.',
    credential: 'token',
    responses: { 200: describeJson('The token’s holder.', oauthSchemas.WhoAmI, whoAmIExample), 304: notModified },
    errors: ['unauthorized', 'invalid_token'],
  },
];

const postErrors: readonly Code[] = ['payload_too_large', 'unsupported_media_type', 'idempotency_conflict'];
const postHeaders = ['Idempotency-Key', 'Idempotent-Replayed'];
const form = 'application/x-www-form-urlencoded';

/**
 * Returns the description of a response with a JSON body. `headers` has the names of those that it has in addition to those of
 * every response.
 */
export const describeJson = (
  description: string,
  schema: z.ZodObject,
  example: object,
  headers: readonly string[] = [],
): EndpointResponse => ({ description, headers, content: [{ type: 'application/json', schema, example }] });

/** Returns the description of a response whose body is a text, for which its `schema` is null. `summary` describes the example. */
export const describeText = (
  description: string,
  type: 'text/markdown' | 'text/html',
  summary: string,
  example: string,
): EndpointResponse => ({ description, content: [{ type, schema: null, summary, example }] });

const clientId = 'cl_0A1b2C3d4E5f6G7h';

/** The parameter in the path of a registration's URL, and an example of it. */
const registration = {
  input: z.object({ client_id: z.string().regex(clientIdPattern).describe('The client’s ID.') }),
  example: { client_id: clientId },
};

const scope = scopeNames.join(' ');

const registrationExample = {
  client_name: 'my-agent',
  grant_types: ['client_credentials'],
  token_endpoint_auth_method: 'client_secret_basic',
  scope,
};

const createClientExample = (baseUrl: string, isNew: boolean) => ({
  client_id: clientId,
  ...(isNew && { client_secret: 'cs_xwGMjQ8bruIdcdxXYhVctG3SI4H9FHfkFcwWubh5xbD' }),
  client_id_issued_at: 1_795_239_834,
  client_secret_expires_at: 0,
  ...registrationExample,
  response_types: [],
  registration_client_uri: `${baseUrl}/oauth/register/${clientId}`,
  registration_access_token: 'rat_Lm6uy4fOSLjROqPdM1EPGJ3Me8ckWxpfPYDAsfLoH5B',
  registration_type: 'anonymous',
  credential_type: 'oauth_client_credentials',
});

const tokenExample = {
  access_token: 'at_u9KkYmDFIWh5gtIFxQe3DDTk0iUFVV0BgmtuoBPioVv',
  token_type: 'Bearer',
  expires_in: tokenLifetime / 1000,
  scope,
};

const whoAmIExample = describePrincipal(
  { clientId, scopes: defaultScopes, expiresAt: 1_795_243_434_000, identityType: 'anonymous' },
  600,
);
