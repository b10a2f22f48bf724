/** Verification of a request's bearer token (RFC 6750): its shape, and what looking it up has found. */
import type { IdentityType, LiveToken } from '../store/store.ts';
import { insufficientScope, invalidToken, unauthorized } from './challenge.ts';
import { hashSecret, isSecret } from './secrets.ts';

/** Whoever a valid token speaks for. */
export interface Principal {
  readonly clientId: string;
  readonly scopes: readonly string[];
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
  readonly identityType: IdentityType;
}

/**
 * The token of an Authorization header, null without the header. The header is the only place where a token counts (RFC
 * 9700 section 4.3.2). Throws `invalid_token` when it holds anything but one bearer token.
 */
export function bearerToken(authorization: string | undefined, baseUrl: string): string | null {
  if (authorization === undefined) return null;
  const [, token] = /^bearer +([A-Za-z0-9._~+/-]+=*)$/i.exec(authorization.trim()) ?? [];
  if (token !== undefined) return token;
  throw invalidToken(
    baseUrl,
    'The Authorization header is not of the form Bearer <token>. Send it so, or leave it out.',
  );
}

/** What a token is looked up by, with each request, so that a revocation counts at once. Throws `invalid_token` when it is malformed. */
export function lookUpHash(token: string, baseUrl: string): Uint8Array {
  if (!isSecret('at', token)) throw invalidToken(baseUrl, `The access token is malformed. ${anew}`);
  return hashSecret(token);
}

/** Whom a token that was looked up speaks for. Throws `invalid_token` when it was not found. */
export function holderOf(found: LiveToken | undefined, baseUrl: string): Principal {
  if (found === undefined) throw invalidToken(baseUrl, `The access token is expired, revoked or unknown. ${anew}`);
  return found;
}

/** What an operation with a scope asks first. Throws `unauthorized` without a token, `insufficient_scope` without the scope. */
export function requireScope(principal: Principal | null, scope: string, baseUrl: string): Principal {
  if (principal === null) throw unauthorized(baseUrl, [scope]);
  if (!principal.scopes.includes(scope)) throw insufficientScope(baseUrl, scope);
  return principal;
}

const anew = 'Get a new one at the token endpoint, or leave out the Authorization header: reading needs none.';
