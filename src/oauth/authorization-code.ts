/** The authorization code grant at the token endpoint (RFC 6749 section 4.1.3), with PKCE by S256 only (RFC 7636). */
import { timingSafeEqual } from 'node:crypto';
import { writeDuration } from '../base/amount-in-words.ts';
import type { ApiError } from '../base/api-error.ts';
import { sha256Bytes } from '../base/hash.ts';
import type { Client } from '../store/clients.ts';
import type { AuthorizationCode } from '../store/consent.ts';
import { issueToken, type TokenResponse } from './access-token.ts';
import type { OAuthContext } from './context.ts';
import { createOAuthError } from './errors.ts';
import { codeLifetime } from './lifetimes.ts';
import { createRefreshFamily } from './refresh-token.ts';
import type { TokenForm } from './requests.ts';
import { grantScopes } from './scopes.ts';
import { hashSecret, isSecret } from './secrets.ts';

/**
 * Exchanges a code for an access token and a refresh token, once. A second use revokes the tokens of the first (RFC 6749 section
 * 4.1.2). A wrong client, redirect URI or verifier leaves the code usable, so that nobody can spend another's code.
 * @throws `invalid_request` for a missing or malformed parameter, `invalid_grant`, `invalid_scope`, or `invalid_client` if the
 * client was revoked in the meantime.
 */
export async function redeemAuthorizationCode(
  context: OAuthContext,
  client: Client,
  form: TokenForm,
): Promise<TokenResponse> {
  const codeText = form.require('code');
  const verifier = form.require('code_verifier');
  const hash = hashSecret(codeText);
  const code = isSecret('ac', codeText) ? await context.store.findCode(hash) : undefined;
  checkOwner(code, client);
  if (code.usedAt !== null) throw await revokeReplayedCode(context, code);
  if (code.expiresAt <= context.clock.now()) throw createInvalidCode();
  checkRedirectUri(code, form.get('redirect_uri'));
  checkPKCE(code, verifier);
  const { family, refreshToken } = createRefreshFamily(context.key, context.clock.now());
  const response = await issueToken(context, {
    client,
    scopes: grantScopes(form.get('scope'), code.scopes),
    identityType: client.identityType,
    grantType: 'authorization_code',
    redeem: (token) => context.store.redeemCode(hash, token, family),
  });
  if (response === null) throw await revokeReplayedCode(context, code);
  return { ...response, refresh_token: refreshToken };
}

/** Throws the same `invalid_grant` for an unknown code, another client's code and a code of a revoked secret (RFC 6749 section 5.2). */
function checkOwner(code: AuthorizationCode | undefined, client: Client): asserts code is AuthorizationCode {
  if (code === undefined || code.clientId !== client.id || code.epoch !== client.epoch) throw createInvalidCode();
}

/**
 * Throws `invalid_grant` for another redirect URI than that of the authorization request (RFC 6749 section 4.1.3). PKCE binds the
 * code already, so the parameter is optional, as in OAuth 2.1.
 */
function checkRedirectUri(code: AuthorizationCode, redirectUri: string | undefined): void {
  if (redirectUri === undefined || redirectUri === code.redirectUri) return;
  throw createOAuthError('invalid_grant', 'redirect_uri differs from the one of the authorization request.');
}

/** Throws `invalid_grant` if the verifier does not match the challenge of the authorization request (RFC 7636 section 4.6). */
function checkPKCE(code: AuthorizationCode, verifier: string): void {
  const challenge = sha256Bytes(verifier);
  const expectedHash = Buffer.from(code.challenge, 'base64url');
  if (expectedHash.length === challenge.length && timingSafeEqual(expectedHash, challenge)) return;
  throw createOAuthError(
    'invalid_grant',
    'code_verifier does not match the code_challenge of the authorization request.',
  );
}

/**
 * Revokes the tokens of a code that is used a second time, because somebody else has it (RFC 6749 section 4.1.2), and returns the
 * failure `invalid_grant`.
 */
async function revokeReplayedCode(context: OAuthContext, code: AuthorizationCode): Promise<ApiError> {
  const count = await context.store.revokeTokensOfCode(code.hash, context.clock.now());
  const event = { event: 'code.replayed', client_id: code.clientId, tokens_ended: count };
  context.log.warn(event, 'An authorization code was used again; its tokens are ended.');
  return createInvalidCode();
}

const createInvalidCode = (): ApiError =>
  createOAuthError(
    'invalid_grant',
    `The authorization code is unknown, expired or used. Codes last ${writeDuration(codeLifetime)} and work once; start the flow again.`,
  );
