/** The endpoints of the authorization server, as OpenAPI path items. */
import { durationInWords, grouped } from '../base/amount-in-words.ts';
import type { Code } from '../base/problem-codes.ts';
import { mostBodyBytes } from '../base/request-limits.ts';
import { idempotencyLifetime } from '../store/idempotency.ts';
import type { JsonSchema } from './components.ts';
import { headerRefs } from './headers.ts';
import {
  authorizationParameters,
  clientExample,
  clientIdParameter,
  everyScope,
  htmlExample,
  registrationExample,
  tokenExample,
  whoAmIExample,
  withoutSecret,
} from './oauth-examples.ts';
import type { oauthSchemas } from './oauth-schemas.ts';
import { jsonAnswer, type PathOperation, pathOperation, schemaRef, unchanged } from './path-operation.ts';
import { everywhere } from './problems.ts';

export const authenticationTag = {
  name: 'Authentication',
  description: 'An OAuth 2.0 authorization server that registers clients without approval, and its metadata documents.',
};

/** `idempotencyKey`: the parameter that every POST takes. */
export function oauthPaths(baseUrl: string, idempotencyKey: unknown): JsonSchema {
  const post = [idempotencyKey];
  const registration = { kind: 'OAuth', security: [{ registration: [] }], parameters: [clientIdParameter] } as const;
  return {
    '/oauth/register': {
      post: authentication({
        id: 'registerClient',
        summary: 'Register a client',
        description: `Client registration (RFC 7591), without approval. The secret is shown once. With an Idempotency-Key, a retry within ${durationInWords(idempotencyLifetime)} returns the same client, including its secret.`,
        parameters: post,
        body: requestBody('application/json', 'ClientMetadata', registrationExample),
        responses: { 201: jsonAnswer('The client.', 'ClientInformation', clientExample(baseUrl), postHeaders) },
        kind: 'OAuth',
        errors: [
          ...postErrors,
          'invalid_client_metadata',
          'invalid_redirect_uri',
          'invalid_grant',
          'invalid_token',
          'idempotency_conflict',
        ],
      }),
    },
    '/oauth/register/{client_id}': {
      get: authentication({
        id: 'readRegistration',
        summary: 'Read a registration',
        description: 'The registration without its secret (RFC 7592 section 2.1).',
        ...registration,
        responses: {
          200: jsonAnswer('The registration.', 'ClientInformation', withoutSecret(clientExample(baseUrl))),
          304: unchanged,
        },
        errors: ['invalid_token', ...everywhere],
      }),
      delete: authentication({
        id: 'deleteRegistration',
        summary: 'Delete a registration',
        description: 'Revokes the client and all its tokens at once (RFC 7592 section 2.3). This cannot be undone.',
        ...registration,
        responses: {
          204: { description: 'The registration is deleted, or was deleted before.', headers: headerRefs() },
        },
        errors: ['invalid_token', ...everywhere],
      }),
    },
    '/oauth/token': {
      post: authentication({
        id: 'issueToken',
        summary: 'Get an access token',
        description:
          'The token endpoint (RFC 6749 section 3.2): `client_credentials`, `authorization_code` with PKCE, and the JWT bearer grant with an ID-JAG. The client authenticates by HTTP Basic or in the form. A new token never ends another one; a client that has the most valid tokens it may have gets 429, and `Retry-After` says when the first expires.',
        security: [{ client: [] }, {}],
        parameters: post,
        body: requestBody(form, 'TokenRequest', { grant_type: 'client_credentials', scope: everyScope }),
        responses: { 200: jsonAnswer('The token.', 'TokenAnswer', tokenExample, postHeaders) },
        kind: 'OAuth',
        errors: [...postErrors, 'invalid_client', 'invalid_grant', 'invalid_scope', 'idempotency_conflict'],
      }),
    },
    '/oauth/revoke': {
      post: authentication({
        id: 'revokeToken',
        summary: 'Revoke a token or a client',
        description:
          'Revokes an access token, or a client’s secret, which revokes the client and all its tokens (RFC 7009). The response is 200 whether or not the token existed.',
        security: [{ client: [] }, {}],
        parameters: post,
        body: requestBody(form, 'RevocationRequest', { token: tokenExample.access_token }),
        responses: { 200: empty('The token is revoked, or was revoked before.') },
        kind: 'OAuth',
        errors: [...postErrors, 'invalid_client', 'idempotency_conflict'],
      }),
    },
    '/oauth/authorize': {
      get: authentication({
        id: 'requestAuthorization',
        summary: 'Ask a person for consent',
        description:
          'The authorization endpoint (RFC 6749 section 3.1), for a browser: a page that asks the person for consent, without an account. Its form is posted to the same URL, and the browser is redirected to the client with a code. Errors are also returned by redirect, unless the client or its redirect URI is invalid.',
        parameters: authorizationParameters,
        responses: {
          200: { description: 'The consent page.', headers: headerRefs(), content: { 'text/html': htmlExample } },
          302: { description: 'Redirect to the client, with `error`.', headers: headerRefs(['Location']) },
        },
        errors: [...everywhere, 'invalid_token'],
      }),
      post: authentication({
        id: 'decideAuthorization',
        summary: 'Answer the consent page',
        description:
          'The form of the consent page, sent by the browser that shows it. Forms from other sites are refused.',
        body: requestBody(form, 'ConsentDecision', {
          ticket: 'ct_2KrCwkN8JTbS1sPqXv4uYdZ0aLmE9fGh',
          decision: 'allow',
        }),
        responses: {
          303: {
            description: 'Redirect to the client, with a code or with `error=access_denied`.',
            headers: headerRefs(['Location', 'Idempotency-Key', 'Idempotent-Replayed']),
          },
        },
        errors: [...postErrors, 'invalid_token', 'forbidden_origin', 'idempotency_conflict'],
      }),
    },
    '/agent/auth': {
      get: authentication({
        id: 'getAgentAuth',
        summary: 'Get the holder of a token',
        description:
          'The protected entry point. Without a token it returns 401 with a challenge that links to the metadata; with a token it returns the token’s client, scope and rate limit.',
        security: [{ bearer: [] }],
        responses: { 200: jsonAnswer('The token’s holder.', 'WhoAmI', whoAmIExample), 304: unchanged },
        errors: ['unauthorized', 'invalid_token', ...everywhere],
      }),
    },
  };
}

const authentication = (described: Omit<PathOperation, 'tag'>): JsonSchema =>
  pathOperation({ ...described, tag: authenticationTag.name });

const postErrors: readonly Code[] = [...everywhere, 'payload_too_large', 'unsupported_media_type'];
const postHeaders = ['Idempotency-Key', 'Idempotent-Replayed'];
const form = 'application/x-www-form-urlencoded';

const empty = (description: string) => ({
  description,
  headers: headerRefs(postHeaders),
  content: { 'application/json': { schema: { type: 'object', maxProperties: 0 }, example: {} } },
});

const requestBody = (type: string, name: keyof typeof oauthSchemas, value: object): JsonSchema => ({
  required: true,
  description: `At most ${grouped(mostBodyBytes)} bytes.`,
  content: { [type]: { schema: schemaRef(name), examples: { example1: { summary: 'As a client sends it', value } } } },
});
