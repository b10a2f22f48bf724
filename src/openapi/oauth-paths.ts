/** The endpoints of the authorization server, as OpenAPI path items. */
import type { Code } from '../base/problem-codes.ts';
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
import { everywhere, jsonAnswer, type PathOperation, pathOperation, schemaRef, unchanged } from './path-operation.ts';

export const authenticationTag = {
  name: 'Authentication',
  description:
    'An OAuth 2.0 authorization server that registers clients without a person, and the documents that lead to it.',
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
        description:
          'Client registration (RFC 7591). Nobody has to approve it. The secret is shown once. With an Idempotency-Key a repetition within 24 hours gives the same client, secret included.',
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
        description: 'Ends the client and every token of it at once (RFC 7592 section 2.3). It cannot be undone.',
        ...registration,
        responses: { 204: { description: 'It is deleted, now or before.', headers: headerRefs() } },
        errors: ['invalid_token', ...everywhere],
      }),
    },
    '/oauth/token': {
      post: authentication({
        id: 'issueToken',
        summary: 'Get an access token',
        description:
          'The token endpoint (RFC 6749 section 3.2): `client_credentials`, `authorization_code` with PKCE, and the JWT bearer grant with an ID-JAG. The client authenticates by HTTP Basic or in the form.',
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
          'Revocation (RFC 7009): of an access token, or of a client’s secret, which ends the client and every token of it. The answer is 200 whether or not there was anything to revoke.',
        security: [{ client: [] }, {}],
        parameters: post,
        body: requestBody(form, 'RevocationRequest', { token: tokenExample.access_token }),
        responses: { 200: empty('It is revoked, now or before.') },
        kind: 'OAuth',
        errors: [...postErrors, 'invalid_client', 'idempotency_conflict'],
      }),
    },
    '/oauth/authorize': {
      get: authentication({
        id: 'requestAuthorization',
        summary: 'Ask a person for consent',
        description:
          'The authorization endpoint (RFC 6749 section 3.1), for a browser: a page that asks the person, without an account. The page’s buttons send its form here by POST, which is nobody else’s to send; the browser then goes back to the client with a code. An error that is not about the client or its redirect URI goes back by a redirect, too.',
        parameters: authorizationParameters,
        responses: {
          200: { description: 'The consent page.', headers: headerRefs(), content: { 'text/html': htmlExample } },
          302: { description: 'Back to the client, with `error`.', headers: headerRefs(['Location']) },
        },
        errors: [...everywhere, 'invalid_token'],
      }),
    },
    '/agent/auth': {
      get: authentication({
        id: 'getAgentAuth',
        summary: 'Say who a token speaks for',
        description:
          'The protected entry. Without a token it answers 401 with the challenge that leads to the metadata; with one it says whose the token is.',
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
  description: 'At most 65,536 bytes.',
  content: { [type]: { schema: schemaRef(name), examples: { example1: { summary: 'As a client sends it', value } } } },
});
