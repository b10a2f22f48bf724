/** Client authentication at the token and revocation endpoints (RFC 6749 section 2.3). */
import { timingSafeEqual } from 'node:crypto';
import { decodeUri } from '../base/uri.ts';
import type { Client } from '../store/clients.ts';
import type { OAuthContext } from './context.ts';
import { createInvalidClient, createInvalidParameter } from './errors.ts';
import type { Form } from './form.ts';
import { hashSecret, isClientId } from './secrets.ts';

/** The client ID and the secret that a request presents. */
export interface PresentedClient {
  readonly clientId: string;
  /** The secret, or null if the client only names itself. */
  readonly secret: string | null;
}

/**
 * Returns what the request claims about its client, unchecked, or null if it claims nothing.
 * @throws `invalid_request` for two methods at once, two different IDs or a secret without an ID, `invalid_client` for a method
 * that is not supported or a malformed Authorization header.
 */
export function readClientCredentials(
  authorization: string | undefined,
  form: Pick<Form, 'text'>,
  baseUrl: string,
): PresentedClient | null {
  if (form.text('client_assertion') !== undefined || form.text('client_assertion_type') !== undefined) {
    const detail = 'Clients authenticate by client_secret_basic or client_secret_post, not by assertion.';
    throw createInvalidClient(baseUrl, detail);
  }
  const clientId = form.text('client_id');
  const secret = form.text('client_secret') ?? null;
  if (authorization === undefined) {
    if (clientId !== undefined) return { clientId, secret };
    if (secret === null) return null;
    throw createInvalidParameter('client_id', 'required', 'client_secret was sent without client_id. Send both.');
  }
  const basic = readBasic(authorization, baseUrl);
  if (secret !== null || (clientId !== undefined && clientId !== basic.clientId)) {
    const detail = 'Send the client credentials in the Authorization header or in the form, not in both.';
    throw createInvalidParameter(secret !== null ? 'client_secret' : 'client_id', 'repeated', detail);
  }
  return basic;
}

/**
 * Returns the client that the credentials prove, or the public client that they name.
 * @throws `invalid_client` if there are no credentials, and the same one for an unknown client, a wrong secret and a revoked
 * client.
 */
export async function authenticateClient(context: OAuthContext, credentials: PresentedClient | null): Promise<Client> {
  if (credentials === null) {
    const detail = 'Client credentials are missing. Send client_id and client_secret in the form or by HTTP Basic.';
    throw createInvalidClient(context.baseUrl, detail);
  }
  const client = await matchClient(context, credentials);
  if (client === undefined || client.revokedAt !== null) throw createInvalidClient(context.baseUrl);
  return client;
}

/**
 * Returns the client, revoked or not, to which the credentials belong, or undefined if they are wrong. The secret of a public
 * client must be null.
 */
export async function matchClient(context: OAuthContext, credentials: PresentedClient): Promise<Client | undefined> {
  const client = isClientId(credentials.clientId) ? await context.store.findClient(credentials.clientId) : undefined;
  const expectedHash = client?.secretHash ?? dummyHash;
  const isProven = timingSafeEqual(hashSecret(credentials.secret ?? ''), expectedHash);
  if (client === undefined) return undefined;
  const isPublic = client.secretHash === null;
  return (isPublic ? credentials.secret === null : isProven) ? client : undefined;
}

/** Stands in for the hash of an unknown client, so that an unknown ID takes as long as a wrong secret. */
const dummyHash = Buffer.alloc(32);

/**
 * Returns the ID and the secret of HTTP Basic (RFC 7617), decoded; an empty secret is null. Both may be form-encoded (RFC 6749
 * section 2.3.1); many clients send them plain. Throws `invalid_client` for a malformed header.
 */
function readBasic(authorization: string, baseUrl: string): PresentedClient {
  const [, encoded] = /^basic +([A-Za-z0-9+/]+={0,2})$/i.exec(authorization.trim()) ?? [];
  const credentialText = encoded === undefined ? '' : Buffer.from(encoded, 'base64').toString('utf8');
  const colon = credentialText.indexOf(':');
  if (colon <= 0) {
    throw createInvalidClient(baseUrl, 'The Authorization header is not HTTP Basic with a client id and a secret.');
  }
  const secret = decodeFormValue(credentialText.slice(colon + 1));
  return { clientId: decodeFormValue(credentialText.slice(0, colon)), secret: secret === '' ? null : secret };
}

const decodeFormValue = (text: string): string => decodeUri(text.replaceAll('+', ' '));
