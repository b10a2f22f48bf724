/** The revocation endpoint (RFC 7009): ends a token, or a client's secret and with it all of the client's tokens. */
import { matchClient, type PresentedClient, readClientCredentials } from './client-authentication.ts';
import type { OAuthContext } from './context.ts';
import { createInvalidClient } from './errors.ts';
import { type FormRequest, readForm } from './form.ts';
import { readRefreshToken } from './refresh-token.ts';
import { revocationRequestSchema } from './requests.ts';
import { hashSecret, isSecret } from './secrets.ts';

/**
 * Resolves once the revocation is stored, whether or not there was anything to revoke (RFC 7009 section 2.2). The form of `token`
 * tells what it is, so `token_type_hint` is not needed. Without client credentials, whoever holds a token or secret may end it; a
 * client that is named or authenticated ends only its own.
 * @throws `invalid_request` for a faulty form, such as one without a token, `invalid_client` for wrong credentials (RFC 7009
 * section 2.1).
 */
export async function revoke(context: OAuthContext, request: FormRequest): Promise<void> {
  const form = readForm(revocationRequestSchema, request.form);
  const token = form.require('token');
  const owner = await readOwner(context, readClientCredentials(request.authorization, form, context.baseUrl));
  if (isSecret('at', token)) await revokeAccessToken(context, token, owner);
  else if (isSecret('cs', token)) await revokeSecret(context, token, owner);
  else await revokeRefreshToken(context, token, owner);
}

/**
 * Returns the ID of the client whose tokens may be revoked, or null for any: an ID without a secret proves nothing and only narrows
 * what is revoked. Credentials of a revoked client are accepted, so that a repeated request succeeds. Throws `invalid_client` for
 * wrong credentials.
 */
async function readOwner(context: OAuthContext, credentials: PresentedClient | null): Promise<string | null> {
  if (credentials === null) return null;
  if (credentials.secret === null) return credentials.clientId;
  const client = await matchClient(context, credentials);
  if (client === undefined) throw createInvalidClient(context.baseUrl);
  return client.id;
}

async function revokeAccessToken(context: OAuthContext, token: string, owner: string | null): Promise<void> {
  const clientId = await context.store.revokeToken(hashSecret(token), owner ?? undefined);
  if (clientId === undefined) return;
  context.log.info({ event: 'token.revoked', client_id: clientId }, 'Revoked an access token.');
}

/**
 * Revokes a refresh token and the access tokens of its grant (RFC 7009 section 2.1), if it is of the client `owner`, or of any for
 * null. A token that was replaced ends them as well.
 */
async function revokeRefreshToken(context: OAuthContext, token: string, owner: string | null): Promise<void> {
  const refreshToken = readRefreshToken(context, token);
  if (refreshToken === null) return;
  const { store, clock } = context;
  const clientId = await store.revokeRefreshFamily(refreshToken.family, clock.now(), owner ?? undefined);
  if (clientId === undefined) return;
  context.log.info({ event: 'refresh.revoked', client_id: clientId }, 'Revoked a refresh token and its access tokens.');
}

async function revokeSecret(context: OAuthContext, secret: string, owner: string | null): Promise<void> {
  const client = await context.store.findClientBySecret(hashSecret(secret));
  if (client === undefined || (owner !== null && owner !== client.id)) return;
  const isFirst = await context.store.revokeClient(client.id, context.clock.now(), false);
  if (isFirst) context.log.info({ event: 'client.revoked', client_id: client.id }, 'Revoked a client and its tokens.');
}
