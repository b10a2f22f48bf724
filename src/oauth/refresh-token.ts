/** The refresh token grant (RFC 6749 section 6): one family of tokens for each code, replaced at each use (RFC 9700 section 4.14.2). */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { ApiError } from '../base/api-error.ts';
import type { Client } from '../store/clients.ts';
import type { NewRefreshFamily, RefreshUse } from '../store/tokens.ts';
import { issueToken, type TokenResponse } from './access-token.ts';
import type { OAuthContext } from './context.ts';
import { createOAuthError } from './errors.ts';
import { refreshGrace, refreshIdle } from './lifetimes.ts';
import type { TokenForm } from './requests.ts';
import { grantScopes } from './scopes.ts';

/**
 * Exchanges a refresh token for an access token and the next refresh token. The newest one's predecessor gets the newest one again
 * for a minute; later, and at any time with an older one, the family ends, because somebody else must have a copy.
 * @throws `invalid_request` for a missing token, `invalid_grant`, `invalid_scope`, or `invalid_client` if the client was revoked in
 * the meantime.
 */
export async function redeemRefreshToken(
  context: OAuthContext,
  client: Client,
  form: TokenForm,
): Promise<TokenResponse> {
  const refreshToken = readRefreshToken(context, form.require('refresh_token'));
  if (refreshToken === null) throw createInvalidRefreshToken();
  const family = await context.store.findRefreshFamily(refreshToken.family, context.clock.now());
  if (family === undefined || family.clientId !== client.id) throw createInvalidRefreshToken();
  let generation = 0;
  const response = await issueToken(context, {
    client,
    scopes: grantScopes(form.get('scope'), family.scopes),
    identityType: family.identityType,
    grantType: 'refresh_token',
    async redeem(token) {
      const use = { ...refreshToken, idleMs: refreshIdle, graceMs: refreshGrace };
      const rotation = await context.store.redeemRefresh(use, token);
      if (rotation.outcome === 'rotated') {
        generation = rotation.generation;
        return 'issued';
      }
      if (rotation.outcome === 'reused') {
        context.log.warn({ event: 'refresh.reused', client_id: client.id }, reuseNotice);
      }
      return rotation.outcome === 'client_gone' ? 'client_gone' : 'used';
    },
  });
  if (response === null) throw createInvalidRefreshToken();
  return { ...response, refresh_token: encodeRefreshToken(context.key, refreshToken.family, generation) };
}

/**
 * Creates a family, to be stored with the access token of a code, and the first of its refresh tokens. `now` is in milliseconds
 * since 1970.
 */
export function createRefreshFamily(key: Uint8Array, now: number): { family: NewRefreshFamily; refreshToken: string } {
  const id = randomBytes(familyBytes);
  return { family: { id, expiresAt: now + refreshIdle }, refreshToken: encodeRefreshToken(key, id, 1) };
}

/**
 * Returns the family and the generation of a refresh token, or null if it is malformed or signed with neither `key` nor
 * `previousKey`. The signature keeps a forged token from ending a stranger's family. The store is not read.
 */
export function readRefreshToken(
  { key, previousKey }: Pick<OAuthContext, 'key' | 'previousKey'>,
  token: string,
): Pick<RefreshUse, 'family' | 'generation'> | null {
  if (!/^rt_[A-Za-z0-9_-]{70}$/.test(token)) return null;
  const bytes = Buffer.from(token.slice(3), 'base64url');
  const head = bytes.subarray(0, headBytes);
  const isSigned = (by = key): boolean => timingSafeEqual(bytes.subarray(headBytes), sign(by, head));
  if (!isSigned() && !isSigned(previousKey)) return null;
  return { family: head.subarray(0, familyBytes), generation: head.readUInt32BE(familyBytes) };
}

/**
 * Returns `rt_` and, in base64url, 16 bytes of family, 4 of generation and 32 of HMAC-SHA-256. A repeated request gets the
 * same token again although the store has none, because the token is computed.
 */
function encodeRefreshToken(key: Uint8Array, family: Uint8Array, generation: number): string {
  const head = Buffer.alloc(headBytes);
  head.set(family);
  head.writeUInt32BE(generation, familyBytes);
  return `rt_${Buffer.concat([head, sign(key, head)]).toString('base64url')}`;
}

const familyBytes = 16;
const headBytes = familyBytes + 4;

const sign = (key: Uint8Array, head: Uint8Array): Buffer =>
  createHmac('sha256', key).update('refresh').update(head).digest();

const reuseNotice = 'An old refresh token was used again; its successors and their access tokens are ended.';

/** Creates the failure `invalid_grant`, which is equal for every reason: the client can only send its user through the browser again. */
const createInvalidRefreshToken = (): ApiError =>
  createOAuthError(
    'invalid_grant',
    'The refresh token is unknown, expired, revoked or was replaced. Start the authorization code flow again.',
  );
