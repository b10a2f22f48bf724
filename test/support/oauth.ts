/** A minimal client of the authorization server: registers, gets and revokes tokens, and submits the consent page. */
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { createJsonPost, type TestResponse, type TestServer } from './server.ts';

/** All scopes, separated by spaces. */
export const allScopes = 'read:releases read:docs read:pricing read:faq export:docs';

/** The credentials of a registered client. The `secret` of a public client, which has none, is undefined in spite of its type. */
export interface TestClient {
  readonly id: string;
  readonly secret: string;
  readonly registrationToken: string;
  readonly registrationUri: string;
}

type Server = Pick<TestServer, 'request'>;

/** Registers a client with every scope, for client_credentials unless the metadata says otherwise. Asserts that it is registered. */
export async function registerClient(server: Server, metadata: Record<string, unknown> = {}): Promise<TestClient> {
  const {
    status,
    json: client,
    text,
  } = await server.request('/oauth/register', createJsonPost({ scope: allScopes, ...metadata }));
  assert.equal(status, 201, text);
  return {
    id: client.client_id,
    secret: client.client_secret,
    registrationToken: client.registration_access_token,
    registrationUri: client.registration_client_uri,
  };
}

/** Registers a client for the code flow, with the redirect URI `https://app.example/cb`, and for client_credentials. */
export const registerApp = (server: Server, metadata: Record<string, unknown> = {}): Promise<TestClient> =>
  registerClient(server, {
    client_name: 'Reader',
    redirect_uris: ['https://app.example/cb'],
    grant_types: ['authorization_code', 'client_credentials'],
    ...metadata,
  });

/** Returns a POST of a form as the options of `fetch`. */
export const createFormPost = (values: Record<string, string>, headers: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  headers,
  body: new URLSearchParams(values),
});

/** Returns the headers of HTTP Basic authentication. */
export const createBasicHeaders = ({ id, secret }: Pick<TestClient, 'id' | 'secret'>): Record<string, string> => ({
  authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
});

/** Returns the headers with an access token. */
export const createBearerHeaders = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` });

/** Returns a new access token of a client, with every scope of the client unless `scope` says otherwise. Asserts that there is one. */
export async function issueToken(server: Server, client: TestClient, scope?: string): Promise<string> {
  const response = await requestToken(server, client, scope);
  assert.equal(response.status, 200, response.text);
  return response.json.access_token;
}

/** Requests an access token, with every scope of the client unless `scope` says otherwise, and returns the response. */
export const requestToken = (server: Server, client: TestClient, scope?: string): Promise<TestResponse> =>
  server.request(
    '/oauth/token',
    createFormPost(
      { grant_type: 'client_credentials', ...(scope !== undefined && { scope }) },
      createBasicHeaders(client),
    ),
  );

/**
 * Registers a client with every scope, and returns an access token of it. Without `scope`, the token has all of them, `export:docs`
 * included.
 */
export const createToken = async (server: Server, scope?: string): Promise<string> =>
  issueToken(server, await registerClient(server), scope);

/** Revokes a token of a client, and returns the response. */
export const revokeToken = (server: Server, client: TestClient, token: string): Promise<TestResponse> =>
  server.request('/oauth/revoke', createFormPost({ token }, createBasicHeaders(client)));

/** Returns whether a token is accepted. Asserts that the status is 200 or 401. */
export async function isTokenValid(server: Server, token: string): Promise<boolean> {
  const { status } = await server.request('/agent/auth', { headers: createBearerHeaders(token) });
  assert.ok(status === 200 || status === 401);
  return status === 200;
}

/** The code verifier and the code challenge of PKCE (RFC 7636). */
export interface ProofKey {
  readonly verifier: string;
  readonly challenge: string;
}

/** Creates a new verifier with its challenge. */
export function createProofKey(): ProofKey {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}

/** Returns the path, with its query, of an authorization request, with these changes to its parameters; null leaves one out. */
export function createAuthorizationPath(
  client: Pick<TestClient, 'id'>,
  proof: ProofKey,
  changes: Record<string, string | null> = {},
): string {
  const parameters = {
    response_type: 'code',
    client_id: client.id,
    redirect_uri: 'https://app.example/cb',
    scope: 'read:docs',
    state: 'af0ifjsldkj',
    code_challenge: proof.challenge,
    code_challenge_method: 'S256',
    ...changes,
  };
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== null) query.set(name, value);
  return `/oauth/authorize?${query}`;
}

/** Returns the ticket in a consent page, which must have one. */
export function getTicket(page: string): string {
  const [, ticket = ''] = /name="ticket" value="([^"]+)"/.exec(page) ?? [];
  assert.notEqual(ticket, '', page);
  return ticket;
}

/**
 * Submits a consent page, and returns the URL to which the browser is redirected. Asserts that the page has a ticket, and that the
 * response redirects.
 */
export async function submitDecision(server: Server, page: string, decision: 'allow' | 'deny'): Promise<URL> {
  const { status, headers, text } = await server.request(
    '/oauth/authorize',
    createFormPost({ ticket: getTicket(page), decision }),
  );
  assert.equal(status, 303, text);
  return new URL(headers.get('location') ?? '');
}

/** Returns an authorization code that a person allowed, and asserts that there is one. `changes` are those of `createAuthorizationPath`. */
export async function fetchAllowedCode(
  server: Server,
  client: TestClient,
  proof: ProofKey,
  changes: Record<string, string | null> = {},
): Promise<string> {
  const { text } = await server.request(createAuthorizationPath(client, proof, changes));
  const location = await submitDecision(server, text, 'allow');
  const code = location.searchParams.get('code');
  assert.ok(code, String(location));
  return code;
}

/** Requests a token for an authorization code with the verifier of its proof key, and returns the response, whatever its status. */
export const redeemCode = (
  server: Server,
  client: TestClient,
  code: string,
  { verifier }: ProofKey,
): Promise<TestResponse> =>
  server.request(
    '/oauth/token',
    createFormPost({ grant_type: 'authorization_code', code, code_verifier: verifier }, createBasicHeaders(client)),
  );
