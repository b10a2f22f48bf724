/** The revocation endpoint (RFC 7009): a token, or a client's secret and with it every token. */
import type { Client } from '../store/store.ts';
import { invalidClient } from './challenge.ts';
import { matchClient, type PresentedClient, readPresentedClient } from './client-authentication.ts';
import type { OAuthContext } from './context.ts';
import { type Parameters, readForm } from './form.ts';
import { readRefreshToken } from './refresh-token.ts';
import { hashSecret, isSecret } from './secrets.ts';

export interface RevocationInput {
  readonly form: Parameters;
  /** The Authorization header. */
  readonly authorization: string | undefined;
}

/**
 * Resolves once the revocation is stored, whether or not there was anything to revoke (section 2.2). What is revoked is
 * found by its shape, so `token_type_hint` is not needed. Without credentials whoever holds a token or secret may end it;
 * a client that is named or authenticated ends only its own. Throws `invalid_client` for wrong credentials (section 2.1).
 */
export async function revoke(context: OAuthContext, input: RevocationInput): Promise<void> {
  const form = readForm(input.form);
  const token = form.require('token');
  const owner = await readOwner(context, readPresentedClient(input.authorization, form, context.baseUrl));
  if (isSecret('at', token)) await revokeToken(context, token, owner);
  else if (isSecret('cs', token)) await revokeSecret(context, token, owner);
  else await revokeRefreshToken(context, token, owner);
}

/**
 * The id of the client that asks, or null when nothing names one. A revoked client's credentials still count here: asking
 * twice is no failure. An id without a secret proves nothing and only narrows what is ended.
 */
async function readOwner(context: OAuthContext, presented: PresentedClient | null): Promise<string | null> {
  if (presented === null) return null;
  if (presented.secret === null) return presented.clientId;
  const client = await matchClient(context, presented);
  if (client === undefined) throw invalidClient(context.baseUrl);
  return client.id;
}

async function revokeToken(context: OAuthContext, token: string, owner: string | null): Promise<void> {
  const clientId = await context.store.revokeToken(hashSecret(token), owner ?? undefined);
  if (clientId === undefined) return;
  context.log.info({ event: 'token.revoked', client_id: clientId }, 'Revoked an access token.');
}

/** Section 2.1: the access tokens of the same grant end with it. Any generation will do. */
async function revokeRefreshToken(context: OAuthContext, token: string, owner: string | null): Promise<void> {
  const presented = readRefreshToken(context.key, token);
  if (presented === null) return;
  const { store, clock } = context;
  const clientId = await store.revokeRefreshFamily(presented.family, clock.now(), owner ?? undefined);
  if (clientId === undefined) return;
  context.log.info({ event: 'refresh.revoked', client_id: clientId }, 'Revoked a refresh token and its access tokens.');
}

async function revokeSecret(context: OAuthContext, secret: string, owner: string | null): Promise<void> {
  const client: Client | undefined = await context.store.findClientBySecret(hashSecret(secret));
  if (client === undefined || (owner !== null && owner !== client.id)) return;
  const revoked = await context.store.revokeClient(client.id, context.clock.now(), false);
  if (revoked) context.log.info({ event: 'client.revoked', client_id: client.id }, 'Revoked a client and its tokens.');
}
