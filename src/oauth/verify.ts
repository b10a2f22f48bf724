/** Verifies the bearer token of a request (RFC 6750): its form, then what the store found, then the scope. */
import type { LiveToken } from '../store/tokens.ts';
import { createInsufficientScope, createInvalidToken, createUnauthorized } from './errors.ts';
import { hashSecret, isSecret } from './secrets.ts';

/** The client that a valid token identifies, and what the token permits. */
export interface Principal {
  readonly clientId: string;
  readonly scopes: readonly string[];
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
  /** `identity_assertion` if the token or the client was issued for an assertion, otherwise `anonymous`. */
  readonly identityType: LiveToken['identityType'];
}

/**
 * Returns the token of an Authorization header, or null without the header. A token counts nowhere else (RFC 9700 section
 * 4.3.2).
 * @throws `invalid_token` if the header is anything but one bearer token.
 */
export function readBearerToken(authorization: string | undefined, baseUrl: string): string | null {
  if (authorization === undefined) return null;
  const [, token] = /^bearer +([A-Za-z0-9._~+/-]+=*)$/i.exec(authorization.trim()) ?? [];
  if (token !== undefined) return token;
  throw createInvalidToken(baseUrl, 'The Authorization header must have the form `Bearer <token>`.');
}

/**
 * Returns the hash under which the store finds the token. Every request looks its token up, so a revocation counts at once.
 * @throws `invalid_token` if it is malformed.
 */
export function hashToken(token: string, baseUrl: string): Uint8Array {
  if (!isSecret('at', token)) throw createInvalidToken(baseUrl, `The access token is malformed. ${renewal}`);
  return hashSecret(token);
}

/**
 * Returns the client that a token identifies, given what the store found: never a token that is expired or revoked.
 * @throws `invalid_token` if the store found nothing.
 */
export function verifyToken(token: LiveToken | undefined, baseUrl: string): Principal {
  if (token === undefined)
    throw createInvalidToken(baseUrl, `The access token is expired, revoked or unknown. ${renewal}`);
  return token;
}

/**
 * Returns the principal if it may use an operation that requires the scope.
 * @throws `unauthorized` without a token, `insufficient_scope` without the scope.
 */
export function requireScope(principal: Principal | null, scope: string, baseUrl: string): Principal {
  if (principal === null) throw createUnauthorized(baseUrl, [scope]);
  if (!principal.scopes.includes(scope)) throw createInsufficientScope(baseUrl, scope);
  return principal;
}

/**
 * Returns the body of the response of `/agent/auth` to a valid token, as an object. `requestsPerMinute` is the limit of the bucket
 * `authenticated`.
 */
export const describePrincipal = (principal: Principal, requestsPerMinute: number) => ({
  client_id: principal.clientId,
  scope: principal.scopes.join(' '),
  // `expires_at` is in seconds since 1970, like `client_secret_expires_at`.
  expires_at: Math.floor(principal.expiresAt / 1000),
  rate_limit: { policy: 'authenticated', limit: requestsPerMinute, window: 60 },
  identity_type: principal.identityType,
});

const renewal = 'Get a new one at the token endpoint, or leave out the Authorization header: reading needs none.';
