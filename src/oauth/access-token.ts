/** Issues access tokens: opaque, valid for 3,600 seconds, stored as a hash (RFC 6749 section 5.1). */
import type { Client } from '../store/clients.ts';
import type { NewToken, Redemption } from '../store/tokens.ts';
import type { GrantType } from './client-metadata.ts';
import type { OAuthContext } from './context.ts';
import { createInvalidClient } from './errors.ts';
import { tokenLifetime } from './lifetimes.ts';
import { createSecret, hashSecret } from './secrets.ts';

/** The successful response of the token endpoint (RFC 6749 section 5.1). */
export interface TokenResponse {
  readonly access_token: string;
  readonly token_type: 'Bearer';
  /** Lifetime in seconds. */
  readonly expires_in: number;
  /**
   * The granted scopes, separated by spaces. They are always present, although RFC 6749 requires them only if they differ from the
   * requested ones.
   */
  readonly scope: string;
  /** Present in responses to the authorization code and refresh token grants only. */
  readonly refresh_token?: string;
}

/** The client and the rights of a new token. */
export interface TokenIssue {
  readonly client: Client;
  readonly scopes: readonly string[];
  /** `anonymous` or `identity_assertion`: that of the client, of the refresh token's family, or of the assertion. */
  readonly identityType: Client['identityType'];
  readonly grantType: GrantType;
  /** Stores the token and redeems its code, assertion or refresh token, in one transaction. */
  readonly redeem: (token: NewToken) => Promise<Redemption>;
}

/**
 * Issues a token and returns the response without a refresh token, or null if its code, assertion or refresh token can no longer be
 * redeemed.
 * @throws `invalid_client` if the client was revoked in the meantime.
 */
export async function issueToken(context: OAuthContext, issue: TokenIssue): Promise<TokenResponse | null> {
  const { client, scopes, identityType, grantType, redeem } = issue;
  const token = createSecret('at');
  const issuedAt = context.clock.now();
  const outcome = await redeem({
    hash: hashSecret(token),
    clientId: client.id,
    epoch: client.epoch,
    scopes,
    identityType,
    issuedAt,
    expiresAt: issuedAt + tokenLifetime,
  });
  if (outcome === 'client_gone') throw createInvalidClient(context.baseUrl);
  if (outcome === 'used') return null;
  const scope = scopes.join(' ');
  const event = { event: 'token.issued', client_id: client.id, grant_type: grantType, scope };
  context.log.info(event, 'Issued an access token.');
  return { access_token: token, token_type: 'Bearer', expires_in: tokenLifetime / 1000, scope };
}
