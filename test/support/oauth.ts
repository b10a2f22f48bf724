/** A client of the authorization server, as plainly as one can be: registers, gets tokens, asks a person, revokes. */
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { type Asked, json, type TestServer } from './server.ts';

/** All scopes, separated by spaces. */
export const everyScope = 'read:releases read:docs read:pricing read:faq export:docs';

/** The credentials of a registered client. The `secret` of a public client, which has none, is undefined in spite of its type. */
export interface TestClient {
  readonly id: string;
  readonly secret: string;
  readonly registrationToken: string;
  readonly registrationUri: string;
}

type Server = Pick<TestServer, 'ask'>;

/** Registers a client with every scope, for client_credentials unless the metadata says otherwise. Asserts that it is registered. */
export async function registerClient(server: Server, metadata: Record<string, unknown> = {}): Promise<TestClient> {
  const { status, json: client, text } = await server.ask('/oauth/register', json({ scope: everyScope, ...metadata }));
  assert.equal(status, 201, text);
  return {
    id: client.client_id,
    secret: client.client_secret,
    registrationToken: client.registration_access_token,
    registrationUri: client.registration_client_uri,
  };
}

/** Registers a client for the code flow, which comes back to `https://app.example/cb`, and for client_credentials. */
export const registerApp = (server: Server, metadata: Record<string, unknown> = {}): Promise<TestClient> =>
  registerClient(server, {
    client_name: 'Reader',
    redirect_uris: ['https://app.example/cb'],
    grant_types: ['authorization_code', 'client_credentials'],
    ...metadata,
  });

/** Returns a POST of a form as the options of `fetch`. */
export const form = (values: Record<string, string>, headers: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  headers,
  body: new URLSearchParams(values),
});

/** Returns the headers of HTTP Basic authentication. */
export const basic = ({ id, secret }: Pick<TestClient, 'id' | 'secret'>): Record<string, string> => ({
  authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
});

/** Returns the headers with an access token. */
export const bearer = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` });

/** Returns a new access token of a client, with every scope of the client unless `scope` says otherwise. Asserts that there is one. */
export async function issueToken(server: Server, client: TestClient, scope?: string): Promise<string> {
  const asked = await askForToken(server, client, scope);
  assert.equal(asked.status, 200, asked.text);
  return asked.json.access_token;
}

/** Requests an access token, with every scope of the client unless `scope` says otherwise, and returns the response. */
export const askForToken = (server: Server, client: TestClient, scope?: string): Promise<Asked> =>
  server.ask(
    '/oauth/token',
    form({ grant_type: 'client_credentials', ...(scope !== undefined && { scope }) }, basic(client)),
  );

/**
 * Registers a client with every scope, and returns an access token of it. Without `scope`, the token has all of them, `export:docs`
 * included.
 */
export const newToken = async (server: Server, scope?: string): Promise<string> =>
  issueToken(server, await registerClient(server), scope);

/** Revokes a token of a client, and returns the response. */
export const revoke = (server: Server, client: TestClient, token: string): Promise<Asked> =>
  server.ask('/oauth/revoke', form({ token }, basic(client)));

/** Returns whether a token is accepted. Asserts that the status is 200 or 401. */
export async function isValid(server: Server, token: string): Promise<boolean> {
  const { status } = await server.ask('/agent/auth', { headers: bearer(token) });
  assert.ok(status === 200 || status === 401);
  return status === 200;
}

/** The verifier and the challenge of PKCE. */
export interface Proof {
  readonly verifier: string;
  readonly challenge: string;
}

/** Creates a new verifier with its challenge. */
export function newProof(): Proof {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}

/** Returns the path, with its query, of an authorization request, with these changes to its parameters; null leaves one out. */
export function authorizationPath(
  client: Pick<TestClient, 'id'>,
  proof: Proof,
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
export async function decide(server: Server, page: string, decision: 'allow' | 'deny'): Promise<URL> {
  const { status, headers, text } = await server.ask('/oauth/authorize', form({ ticket: getTicket(page), decision }));
  assert.equal(status, 303, text);
  return new URL(headers.get('location') ?? '');
}

/** Returns an authorization code that a person allowed, and asserts that there is one. `changes` are those of `authorizationPath`. */
export async function allowedCode(
  server: Server,
  client: TestClient,
  proof: Proof,
  changes: Record<string, string | null> = {},
): Promise<string> {
  const { text } = await server.ask(authorizationPath(client, proof, changes));
  const location = await decide(server, text, 'allow');
  const code = location.searchParams.get('code');
  assert.ok(code, String(location));
  return code;
}

/** Exchanges an authorization code, and returns the response. */
export const redeem = (server: Server, client: TestClient, code: string, { verifier }: Proof): Promise<Asked> =>
  server.ask('/oauth/token', form({ grant_type: 'authorization_code', code, code_verifier: verifier }, basic(client)));
