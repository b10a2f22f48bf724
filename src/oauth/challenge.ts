/** What a caller without the right credential is told: the WWW-Authenticate header and the failure that carries it. */
import { ApiError } from '../base/api-error.ts';
import { describable, oauthError } from './oauth-error.ts';
import { scopeNames } from './scopes.ts';

/** Where the protected resource's metadata is (RFC 9728 section 5.1). */
const resourceMetadataUrl = (baseUrl: string): string => `${baseUrl}/.well-known/oauth-protected-resource`;

/** No token where one is needed: RFC 6750 section 3.1 wants no error code then. */
const unauthorizedChallenge = (baseUrl: string, scopes: readonly string[]): string =>
  `Bearer realm="${baseUrl}", resource_metadata="${resourceMetadataUrl(baseUrl)}", scope="${scopes.join(' ')}"`;

export const invalidTokenChallenge = (baseUrl: string, description: string): string =>
  `Bearer error="invalid_token", error_description="${describable(description)}", resource_metadata="${resourceMetadataUrl(baseUrl)}"`;

export const insufficientScopeChallenge = (baseUrl: string, scope: string): string =>
  `Bearer error="insufficient_scope", scope="${scope}", resource_metadata="${resourceMetadataUrl(baseUrl)}"`;

/** RFC 9110 wants a challenge with every 401; some OAuth clients read this one and not the body. */
const invalidClientChallenge = (baseUrl: string, description: string): string =>
  `Basic realm="${baseUrl}", error="invalid_client", error_description="${describable(description)}"`;

/** 401: nothing was sent to a protected entry. */
export function unauthorized(baseUrl: string, scopes: readonly string[] = scopeNames): ApiError {
  const detail = `An access token is needed. Register a client at ${baseUrl}/oauth/register, get a token at ${baseUrl}/oauth/token, and send it as Authorization: Bearer <token>. ${baseUrl}/auth.md says how.`;
  return new ApiError('unauthorized', detail, { headers: bearerChallenge(unauthorizedChallenge(baseUrl, scopes)) });
}

/** 401: what was sent is no valid token. */
export function invalidToken(baseUrl: string, detail: string): ApiError {
  return oauthError('invalid_token', detail, { headers: bearerChallenge(invalidTokenChallenge(baseUrl, detail)) });
}

/** 403: a valid token without the scope. */
export function insufficientScope(baseUrl: string, scope: string): ApiError {
  return oauthError(
    'insufficient_scope',
    `The token lacks the scope ${scope}. Ask ${baseUrl}/oauth/token for one with scope=${scope}; the client must be registered with it.`,
    { headers: bearerChallenge(insufficientScopeChallenge(baseUrl, scope)), scope },
  );
}

/** 401 of the token, revocation and registration endpoints. The same words for an unknown client and a wrong secret. */
export function invalidClient(baseUrl: string, detail = wrongCredentials): ApiError {
  return oauthError('invalid_client', detail, { headers: challenge(invalidClientChallenge(baseUrl, detail)) });
}

const wrongCredentials =
  'The client is unknown or revoked, or its secret is wrong. Check client_id and client_secret, or register again.';

const challenge = (value: string): Record<string, string> => ({ 'www-authenticate': value });

/** The challenge to a bearer token: another token, or none, gets another response. */
const bearerChallenge = (value: string): Record<string, string> => ({ ...challenge(value), vary: 'Authorization' });
