/** The authorization server and what leads to it, as OpenAPI path items. */

import type { Code } from '../base/problem-codes.ts';
import { authMarkdown } from '../oauth/auth-md.ts';
import { authorizationServerMetadata, protectedResourceMetadata, protectedResourcePaths } from '../oauth/metadata.ts';
import { defaultScopes } from '../oauth/scopes.ts';
import type { Service } from '../operations/context.ts';
import type { JsonSchema } from './components.ts';
import { headerRefs } from './headers.ts';
import { everyScope, type oauthSchemas } from './oauth-schemas.ts';
import { type ProblemKind, problemRefs } from './problems.ts';

export const authenticationTag = {
  name: 'Authentication',
  description:
    'An OAuth 2.0 authorization server that registers clients without a person, and the documents that lead to it.',
};

interface Described {
  readonly id: string;
  readonly summary: string;
  readonly description: string;
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly unknown[];
  readonly body?: JsonSchema;
  readonly responses: Readonly<Record<string, unknown>>;
  readonly kind?: ProblemKind;
  readonly errors: readonly Code[];
}

/** `idempotencyKey`: the parameter that every POST takes. */
export function oauthPaths(service: Service, productName: string, idempotencyKey: unknown): JsonSchema {
  const { baseUrl } = service;
  const post = [idempotencyKey];
  const registration = { kind: 'OAuth', security: [{ registration: [] }], parameters: [clientIdParameter] } as const;
  return {
    '/oauth/register': {
      post: operation({
        id: 'registerClient',
        summary: 'Register a client',
        description:
          'Client registration (RFC 7591). Nobody has to approve it. The secret is shown once. With an Idempotency-Key a repetition within 24 hours gives the same client, secret included.',
        parameters: post,
        body: requestBody('application/json', 'ClientMetadata', registrationExample),
        responses: { 201: json('The client.', 'ClientInformation', clientExample(baseUrl), postHeaders) },
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
      get: operation({
        id: 'readRegistration',
        summary: 'Read a registration',
        description: 'The registration without its secret (RFC 7592 section 2.1).',
        ...registration,
        responses: {
          200: json('The registration.', 'ClientInformation', withoutSecret(clientExample(baseUrl))),
          304: unchanged,
        },
        errors: ['invalid_token', ...everywhere],
      }),
      delete: operation({
        id: 'deleteRegistration',
        summary: 'Delete a registration',
        description: 'Ends the client and every token of it at once (RFC 7592 section 2.3). It cannot be undone.',
        ...registration,
        responses: { 204: { description: 'It is deleted, now or before.', headers: headerRefs() } },
        errors: ['invalid_token', ...everywhere],
      }),
    },
    '/oauth/token': {
      post: operation({
        id: 'issueToken',
        summary: 'Get an access token',
        description:
          'The token endpoint (RFC 6749 section 3.2): `client_credentials`, `authorization_code` with PKCE, and the JWT bearer grant with an ID-JAG. The client authenticates by HTTP Basic or in the form.',
        security: [{ client: [] }, {}],
        parameters: post,
        body: requestBody(form, 'TokenRequest', { grant_type: 'client_credentials', scope: everyScope }),
        responses: { 200: json('The token.', 'TokenAnswer', tokenExample, postHeaders) },
        kind: 'OAuth',
        errors: [...postErrors, 'invalid_client', 'invalid_grant', 'invalid_scope', 'idempotency_conflict'],
      }),
    },
    '/oauth/revoke': {
      post: operation({
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
      get: operation({
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
      get: operation({
        id: 'getAgentAuth',
        summary: 'Say who a token speaks for',
        description:
          'The protected entry. Without a token it answers 401 with the challenge that leads to the metadata; with one it says whose the token is.',
        security: [{ bearer: [] }],
        responses: { 200: json('The token’s holder.', 'WhoAmI', whoAmIExample), 304: unchanged },
        errors: ['unauthorized', 'invalid_token', ...everywhere],
      }),
    },
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
            `Get the metadata of ${path === '' ? 'the service' : `/${path}`} as a protected resource`,
            'Who issues tokens for it, and which (RFC 9728).',
            'ProtectedResourceMetadata',
            protectedResourceMetadata(baseUrl, productName, path),
          ),
        },
      ]),
    ),
    '/auth.md': { get: authGuideOperation(service, productName) },
    '/exports/{file}': { get: exportFileOperation },
  };
}

const everywhere: readonly Code[] = [
  'invalid_request',
  'request_timeout',
  'rate_limited',
  'headers_too_large',
  'internal_error',
  'upstream_unavailable',
  'overloaded',
];
const postErrors: readonly Code[] = [...everywhere, 'payload_too_large', 'unsupported_media_type'];
const postHeaders = ['Idempotency-Key', 'Idempotent-Replayed'];
const form = 'application/x-www-form-urlencoded';

function operation(described: Described): JsonSchema {
  const { id, summary, description, security = [], parameters = [], body, responses, kind = '', errors } = described;
  return {
    operationId: id,
    summary,
    description,
    tags: [authenticationTag.name],
    security,
    ...(parameters.length > 0 && { parameters }),
    ...(body !== undefined && { requestBody: body }),
    responses: { ...responses, ...problemRefs(errors, kind) },
  };
}

const reference = (name: keyof typeof oauthSchemas) => ({ $ref: `#/components/schemas/${name}` });

const json = (description: string, name: keyof typeof oauthSchemas, value: object, more: readonly string[] = []) => ({
  description,
  headers: headerRefs(more),
  content: { 'application/json': { schema: reference(name), examples: { example1: { summary: description, value } } } },
});

const empty = (description: string) => ({
  description,
  headers: headerRefs(postHeaders),
  content: { 'application/json': { schema: { type: 'object', maxProperties: 0 }, example: {} } },
});

const requestBody = (type: string, name: keyof typeof oauthSchemas, value: object): JsonSchema => ({
  required: true,
  description: 'At most 65,536 bytes.',
  content: { [type]: { schema: reference(name), examples: { example1: { summary: 'As a client sends it', value } } } },
});

const unchanged = {
  description: 'Unchanged: the entity tag in If-None-Match is current. There is no body.',
  headers: headerRefs(),
};

function metadataOperation(
  id: string,
  summary: string,
  description: string,
  schema: keyof typeof oauthSchemas,
  value: object,
): JsonSchema {
  return operation({
    id,
    summary,
    description,
    responses: { 200: json('The document.', schema, value), 304: unchanged },
    errors: ['invalid_token', ...everywhere],
  });
}

const textOf = (type: string, value: string) => ({
  [type]: { schema: { type: 'string' }, examples: { example1: { summary: 'The text', value } } },
});

function authGuideOperation({ baseUrl, limits }: Service, productName: string): JsonSchema {
  const { anonymous, authenticated, registration: registrations, issue: tokens } = limits;
  const guide = authMarkdown({ baseUrl, productName, limits: { anonymous, authenticated, registrations, tokens } });
  return operation({
    id: 'getAuthGuide',
    summary: 'Get the instructions for agents',
    description: 'How to get a credential, use it and give it back, with commands that run as they stand.',
    responses: {
      200: { description: 'The instructions.', headers: headerRefs(), content: textOf('text/markdown', guide) },
      304: unchanged,
    },
    errors: ['invalid_token', ...everywhere],
  });
}

const exportFileOperation: JsonSchema = {
  ...operation({
    id: 'getExportFile',
    summary: 'Get the file of an export',
    description:
      'The file of a completed job, by the SHA-256 of its bytes; `result.url` of the job leads here. Public, and never changed.',
    parameters: [
      {
        name: 'file',
        in: 'path',
        required: true,
        description: 'The hash in hexadecimal, with `.md` or `.json`.',
        schema: { type: 'string', pattern: '^[0-9a-f]{64}\\.(md|json)$', maxLength: 69 },
        example: `${'a5'.repeat(32)}.md`,
      },
    ],
    responses: {
      200: {
        description: 'The file.',
        headers: headerRefs(),
        content: {
          ...textOf('text/markdown', '---\ntitle: "Quickstart"\n---\n\nInstall the application.\n'),
          'application/json': {
            schema: { type: 'object' },
            examples: {
              example1: {
                summary: 'An export without items',
                value: { object: 'list', resource: 'faq', revision: 'a5', count: 0, data: [] },
              },
            },
          },
        },
      },
      304: unchanged,
    },
    errors: ['not_found', ...everywhere],
  }),
  tags: ['Exports'],
};

const pascalCase = (path: string): string =>
  path
    .split('/')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

const htmlExample = {
  schema: { type: 'string' },
  examples: { example1: { summary: 'The page, in short', value: '<!doctype html><title>Allow access?</title>' } },
};

const clientIdExample = 'cl_0A1b2C3d4E5f6G7h8';

const clientIdParameter = {
  name: 'client_id',
  in: 'path',
  required: true,
  description: 'The client’s id.',
  schema: { type: 'string', pattern: '^cl_[0-9A-Za-z]{17}$' },
  example: clientIdExample,
};

const parameter = (name: string, description: string, example: string, required = true) => ({
  name,
  in: 'query',
  required,
  description,
  schema: { type: 'string', maxLength: 2000 },
  example,
});

const authorizationParameters = [
  parameter('response_type', '`code`.', 'code'),
  parameter('client_id', 'The client’s id.', clientIdExample),
  parameter(
    'redirect_uri',
    'A registered one; may be left out when there is one alone.',
    'https://app.example/cb',
    false,
  ),
  parameter('scope', 'Space-separated; everything registered unless given.', 'read:docs', false),
  parameter('state', 'Comes back as it is.', 'af0ifjsldkj', false),
  parameter(
    'code_challenge',
    'The SHA-256 of the verifier, in base64url (RFC 7636).',
    'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  ),
  parameter('code_challenge_method', '`S256`.', 'S256'),
];

const registrationExample = {
  client_name: 'my-agent',
  grant_types: ['client_credentials'],
  token_endpoint_auth_method: 'client_secret_basic',
  scope: everyScope,
};

const clientExample = (baseUrl: string) => ({
  client_id: clientIdExample,
  client_secret: 'cs_xwGMjQ8bruIdcdxXYhVctG3SI4H9FHfkFcwWubh5xbD2LW0Ji',
  client_id_issued_at: 1_795_239_834,
  client_secret_expires_at: 0,
  ...registrationExample,
  response_types: [],
  registration_client_uri: `${baseUrl}/oauth/register/${clientIdExample}`,
  registration_access_token: 'rat_Lm6uy4fOSLjROqPdM1EPGJ3Me8ckWxpfPYDAsfLoH5B2k1apd',
  registration_type: 'anonymous',
  credential_type: 'oauth_client_credentials',
});

const withoutSecret = ({ client_secret: _, ...rest }: ReturnType<typeof clientExample>) => rest;

const tokenExample = {
  access_token: 'at_u9KkYmDFIWh5gtIFxQe3DDTk0iUFVV0BgmtuoBPioVv2YXRX8',
  token_type: 'Bearer',
  expires_in: 3600,
  scope: everyScope,
};

const whoAmIExample = {
  client_id: clientIdExample,
  scope: defaultScopes.join(' '),
  expires_at: 1_795_243_434,
  rate_limit: { policy: 'authenticated', limit: 600, window: 60 },
  identity_type: 'anonymous',
};
