/** Refresh tokens (RFC 6749 section 6): one for each code, replaced at each use (RFC 9700 section 4.14.2). */

import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { ApiError } from '../base/api-error.ts';
import type { Client, NewRefreshFamily, Rotation } from '../store/store.ts';
import { issueToken, type TokenAnswer } from './access-token.ts';
import type { OAuthContext } from './context.ts';
import type { Form } from './form.ts';
import { refreshGrace, refreshIdle } from './lifetimes.ts';
import { oauthError } from './oauth-error.ts';
import { grantScopes } from './scopes.ts';

/**
 * `rt_` and, in base64url, 16 bytes of family, 4 of generation and 32 of HMAC-SHA-256. It can be derived, so a repeat
 * gets the same token without the store holding one; and a forged one cannot end a stranger's family.
 */
const makeRefreshToken = (key: Uint8Array, family: Uint8Array, generation: number): string => {
  const head = Buffer.alloc(headBytes);
  head.set(family);
  head.writeUInt32BE(generation, familyBytes);
  return `rt_${Buffer.concat([head, signature(key, head)]).toString('base64url')}`;
};

/** Null when this server did not make it. */
export function readRefreshToken(
  key: Uint8Array,
  text: string,
): { readonly family: Uint8Array; readonly generation: number } | null {
  if (!/^rt_[A-Za-z0-9_-]{70}$/.test(text)) return null;
  const all = Buffer.from(text.slice(3), 'base64url');
  const head = all.subarray(0, headBytes);
  if (!timingSafeEqual(all.subarray(headBytes), signature(key, head))) return null;
  return { family: head.subarray(0, familyBytes), generation: head.readUInt32BE(familyBytes) };
}

/** A family to be stored with the token of a code, and the first of its refresh tokens. */
export function newRefreshFamily(key: Uint8Array, now: number): { family: NewRefreshFamily; refreshToken: string } {
  const id = randomBytes(familyBytes);
  return { family: { id, expiresAt: now + refreshIdle }, refreshToken: makeRefreshToken(key, id, 1) };
}

/** A token older than the one before the newest ends the family: somebody else has a copy. Throws `invalid_grant`. */
export async function refreshToken(context: OAuthContext, client: Client, form: Form): Promise<TokenAnswer> {
  const presented = readRefreshToken(context.key, form.require('refresh_token'));
  if (presented === null) throw endedToken();
  const held = await context.store.findRefreshFamily(presented.family, context.clock.now());
  if (held === undefined || held.clientId !== client.id) throw endedToken();
  let rotation: Rotation = { outcome: 'unknown' };
  const answer = await issueToken(context, {
    client,
    scopes: grantScopes(form.get('scope'), held.scopes),
    identityType: held.identityType,
    grantType: 'refresh_token',
    async redeem(token) {
      rotation = await context.store.redeemRefresh({ ...presented, idleMs: refreshIdle, graceMs: refreshGrace }, token);
      if (rotation.outcome === 'rotated') return 'issued';
      const { outcome } = rotation;
      return outcome === 'client_gone' || outcome === 'too_many' ? outcome : 'used';
    },
  });
  return {
    ...requireRotated(context, client, answer, rotation),
    refresh_token: successor(context, presented, rotation),
  };
}

function requireRotated(
  context: OAuthContext,
  client: Client,
  answer: TokenAnswer | null,
  { outcome }: Rotation,
): TokenAnswer {
  if (answer !== null) return answer;
  if (outcome === 'reused') {
    const event = { event: 'refresh.reused', client_id: client.id };
    context.log.warn(event, 'An old refresh token was used again; its successors and their access tokens are ended.');
  }
  throw endedToken();
}

function successor(context: OAuthContext, { family }: { readonly family: Uint8Array }, rotation: Rotation): string {
  if (rotation.outcome !== 'rotated') throw endedToken();
  return makeRefreshToken(context.key, family, rotation.generation);
}

const familyBytes = 16;
const headBytes = familyBytes + 4;

const signature = (key: Uint8Array, head: Uint8Array): Buffer =>
  createHmac('sha256', key).update('refresh').update(head).digest();

/** One answer for whatever is wrong with it, so that a client knows only that it has to ask its user again. */
const endedToken = (): ApiError =>
  oauthError(
    'invalid_grant',
    'The refresh token is unknown, expired, revoked or was replaced. Start the authorization code flow again.',
  );
