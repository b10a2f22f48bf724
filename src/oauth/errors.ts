/** Creates the failures of OAuth: problem documents with `error` and `error_description` (RFC 6749 section 5.2), and challenges. */
import { ApiError, type ApiErrorOptions } from '../base/api-error.ts';
import type { Code } from '../base/problem-codes.ts';

/** The optional facts of an OAuth failure. */
export interface OAuthErrorOptions extends ApiErrorOptions {
  /** OAuth's name for the failure where it differs from the problem code, such as `temporarily_unavailable`. */
  error?: string;
}

/** Creates an OAuth failure, whose detail and description both are `detail` as `toErrorDescription` returns it. */
export function createOAuthError(code: Code, detail: string, options: OAuthErrorOptions = {}): ApiError {
  const { error = code, members, ...rest } = options;
  const description = toErrorDescription(detail);
  return new ApiError(code, description, {
    ...rest,
    members: { error, error_description: description, ...members },
  });
}

/**
 * Creates `invalid_request` for one parameter of a form or a query. `code` is the kind of fault in `errors`, such as `required`;
 * `error` is OAuth's name for the failure, by default `invalid_request`.
 */
export function createInvalidParameter(field: string, code: string, detail: string, error?: string): ApiError {
  return createOAuthError('invalid_request', detail, {
    errors: [{ field, code, detail: toErrorDescription(detail) }],
    ...(error !== undefined && { error }),
  });
}

/**
 * Returns a text with `?` for each character that `error_description` and a quoted string of a challenge may not contain (RFC 6749
 * section 5.2), and `'` for a quotation mark.
 */
export const toErrorDescription = (text: string): string =>
  text.replaceAll('"', "'").replace(/[^\x20-\x5b\x5d-\x7e]/g, '?');

/**
 * Creates the 401 for a request without a token; its challenge names `scopes`, one or more. RFC 6750 section 3.1 wants no error
 * code in this challenge.
 */
export function createUnauthorized(baseUrl: string, scopes: readonly string[]): ApiError {
  const detail = `An access token is needed. Register a client at ${baseUrl}/oauth/register, get a token at ${baseUrl}/oauth/token, and send it as Authorization: Bearer <token>. See ${baseUrl}/auth.md.`;
  const challenge = `Bearer realm="${baseUrl}", ${createMetadataParameter(baseUrl)}, scope="${scopes.join(' ')}"`;
  return new ApiError('unauthorized', detail, { headers: createBearerChallenge(challenge) });
}

/** Creates the 401 for an Authorization header that is no valid bearer token (RFC 6750 section 3.1). */
export function createInvalidToken(baseUrl: string, detail: string): ApiError {
  const challenge = `Bearer error="invalid_token", error_description="${toErrorDescription(detail)}", ${createMetadataParameter(baseUrl)}`;
  return createOAuthError('invalid_token', detail, { headers: createBearerChallenge(challenge) });
}

/** Creates the 403 for a valid token without the scope (RFC 6750 section 3.1). */
export function createInsufficientScope(baseUrl: string, scope: string): ApiError {
  const detail = `The token lacks the scope ${scope}. Ask ${baseUrl}/oauth/token for one with scope=${scope}; the client must be registered with it.`;
  const challenge = `Bearer error="insufficient_scope", scope="${scope}", ${createMetadataParameter(baseUrl)}`;
  return createOAuthError('insufficient_scope', detail, {
    headers: createBearerChallenge(challenge),
    members: { scope },
  });
}

/**
 * Creates the 401 of the token and revocation endpoints, with a challenge for HTTP Basic. RFC 9110 section 15.5.2 wants one with
 * every 401, and some OAuth clients read the error from it and not from the body. The default detail is the same for an unknown
 * client and a wrong secret, so that it tells nobody which clients exist.
 */
export function createInvalidClient(baseUrl: string, detail = wrongCredentials): ApiError {
  const challenge = `Basic realm="${baseUrl}", error="invalid_client", error_description="${toErrorDescription(detail)}"`;
  return createOAuthError('invalid_client', detail, { headers: { 'www-authenticate': challenge } });
}

const wrongCredentials =
  'The client is unknown or revoked, or its secret is wrong. Check client_id and client_secret, or register again.';

/** Returns the challenge's parameter `resource_metadata="URL"`, which links to the protected resource's metadata (RFC 9728 section 5.1). */
const createMetadataParameter = (baseUrl: string): string =>
  `resource_metadata="${baseUrl}/.well-known/oauth-protected-resource"`;

/**
 * Returns the headers with `challenge` as the value of WWW-Authenticate, and with `Vary: Authorization`: the response depends on
 * the token, and a cache must know (RFC 9110 section 12.5.5).
 */
const createBearerChallenge = (challenge: string): Record<string, string> => ({
  'www-authenticate': challenge,
  vary: 'Authorization',
});
