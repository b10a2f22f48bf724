/** Access tokens: opaque, 3600 seconds, stored by hash (RFC 6749 section 5.1). */

import { grouped } from '../base/amount-in-words.ts';
import { ApiError } from '../base/api-error.ts';
import type { Client, IdentityType, NewToken, Redemption } from '../store/store.ts';
import { invalidClient } from './challenge.ts';
import type { OAuthContext } from './context.ts';
import type { GrantType } from './grant-types.ts';
import { tokenLifetime } from './lifetimes.ts';
import { hashSecret, newSecret } from './secrets.ts';

export interface TokenAnswer {
  readonly access_token: string;
  readonly token_type: 'Bearer';
  readonly expires_in: number;
  /** Always present, whether it was asked for or not. */
  readonly scope: string;
  /** With the authorization code and refresh token grants only. */
  readonly refresh_token?: string;
}

export interface TokenRequest {
  readonly client: Client;
  readonly scopes: readonly string[];
  readonly identityType: IdentityType;
  readonly grantType: GrantType;
  /** Stores the token, using up what it is issued for. */
  readonly redeem: (token: NewToken) => Promise<Redemption>;
}

/**
 * Issues a token; null when what it is issued for was used before. Throws `invalid_client` when the client was revoked
 * meanwhile, and `rate_limited` when it has as many live tokens as it may have.
 */
export async function issueToken(context: OAuthContext, request: TokenRequest): Promise<TokenAnswer | null> {
  const { client, scopes, identityType, grantType, redeem } = request;
  const token = newSecret('at');
  const issuedAt = context.clock.now();
  const outcome = await redeem({
    hash: hashSecret(token),
    clientId: client.id,
    epoch: client.epoch,
    scopes,
    identityType,
    issuedAt,
    expiresAt: issuedAt + tokenLifetime,
    most: context.mostLiveTokens,
  });
  if (outcome === 'too_many') throw await tooManyTokens(context, client);
  if (outcome === 'client_gone') throw invalidClient(context.baseUrl);
  if (outcome === 'used') return null;
  const scope = scopes.join(' ');
  const event = { event: 'token.issued', client_id: client.id, grant_type: grantType, scope };
  context.log.info(event, 'Issued an access token.');
  return { access_token: token, token_type: 'Bearer', expires_in: tokenLifetime / 1000, scope };
}

/** None of them ends for a new one: whoever holds it was told how long it lasts. */
async function tooManyTokens({ store, clock, mostLiveTokens }: OAuthContext, { id }: Client): Promise<ApiError> {
  const now = clock.now();
  const seconds = Math.max(1, Math.ceil(((await store.firstExpiry(id, now)) ?? now) / 1000 - now / 1000));
  return new ApiError(
    'rate_limited',
    `This client has ${grouped(mostLiveTokens)} valid tokens, the most it may have. Use one of them, revoke one, or wait ${seconds === 1 ? '1 second' : `${grouped(seconds)} seconds`} until the first expires.`,
    { retryAfter: seconds },
  );
}
