/** The authorization code grant at the token endpoint (RFC 6749 section 4.1.3), with PKCE by S256 only (RFC 7636). */

import { timingSafeEqual } from 'node:crypto';
import { durationInWords } from '../base/amount-in-words.ts';
import type { ApiError } from '../base/api-error.ts';
import { sha256Bytes } from '../base/hash.ts';
import type { AuthorizationCode, Client } from '../store/store.ts';
import { issueToken, type TokenAnswer } from './access-token.ts';
import type { OAuthContext } from './context.ts';
import type { Form } from './form.ts';
import { codeLifetime } from './lifetimes.ts';
import { invalidParameter, oauthError } from './oauth-error.ts';
import { newRefreshFamily } from './refresh-token.ts';
import { grantScopes } from './scopes.ts';
import { hashSecret, isSecret } from './secrets.ts';

/**
 * Exchanges a code once. A second use ends the tokens of the first (RFC 6749 section 4.1.2); another client's use neither
 * uses the code up nor tells that it exists. A wrong verifier leaves the code as it was.
 */
export async function authorizationCode(context: OAuthContext, client: Client, form: Form): Promise<TokenAnswer> {
  const presented = form.require('code');
  const verifier = requireVerifier(form);
  const hash = hashSecret(presented);
  const code = isSecret('ac', presented) ? await context.store.findCode(hash) : undefined;
  requireOwnCode(code, client);
  if (code.usedAt !== null) throw await replayed(context, code);
  requireFresh(code, context.clock.now());
  requireSameRedirect(code, form.get('redirect_uri'));
  requireProof(code, verifier);
  const { family, refreshToken } = newRefreshFamily(context.key, context.clock.now());
  const answer = await issueToken(context, {
    client,
    scopes: grantScopes(form.get('scope'), code.scopes),
    identityType: client.identityType,
    grantType: 'authorization_code',
    redeem: (token) => context.store.redeemCode(hash, token, family),
  });
  if (answer === null) throw await replayed(context, code);
  return { ...answer, refresh_token: refreshToken };
}

/** RFC 7636 section 4.1. */
function requireVerifier(form: Form): string {
  const verifier = form.require('code_verifier');
  if (/^[A-Za-z0-9._~-]{43,128}$/.test(verifier)) return verifier;
  const detail = 'code_verifier must be 43 to 128 characters of A-Z a-z 0-9 - . _ ~.';
  throw invalidParameter('code_verifier', 'malformed', detail);
}

/** RFC 6749 section 5.2: one answer for a code that is unknown, of another client, or of a revoked one. */
function requireOwnCode(code: AuthorizationCode | undefined, client: Client): asserts code is AuthorizationCode {
  if (code === undefined || code.clientId !== client.id || code.epoch !== client.epoch) throw invalidCode();
}

function requireFresh(code: AuthorizationCode, now: number): void {
  if (code.expiresAt <= now) throw invalidCode();
}

/** RFC 6749 section 4.1.3. PKCE binds the code already, so the parameter may be left out, as OAuth 2.1 has it. */
function requireSameRedirect(code: AuthorizationCode, redirectUri: string | undefined): void {
  if (redirectUri === undefined || redirectUri === code.redirectUri) return;
  throw oauthError('invalid_grant', 'redirect_uri differs from the one of the authorization request.');
}

/** RFC 7636 section 4.6. */
function requireProof(code: AuthorizationCode, verifier: string): void {
  const challenge = sha256Bytes(verifier);
  const expected = Buffer.from(code.challenge, 'base64url');
  if (expected.length === challenge.length && timingSafeEqual(expected, challenge)) return;
  throw oauthError('invalid_grant', 'code_verifier does not match the code_challenge of the authorization request.');
}

async function replayed(context: OAuthContext, code: AuthorizationCode): Promise<ApiError> {
  const ended = await context.store.revokeTokensOfCode(code.hash, context.clock.now());
  const event = { event: 'code.replayed', client_id: code.clientId, tokens_ended: ended };
  context.log.warn(event, 'An authorization code was used again; its tokens are ended.');
  return invalidCode();
}

const invalidCode = (): ApiError =>
  oauthError(
    'invalid_grant',
    `The authorization code is unknown, expired or used. Codes last ${durationInWords(codeLifetime)} and work once; start the flow again.`,
  );
