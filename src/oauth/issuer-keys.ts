/** An issuer's public keys: those that the operator wrote down, or a key set that is fetched, bounded and kept for ten minutes. */
import {
  createLocalJWKSet,
  createRemoteJWKSet,
  customFetch,
  errors,
  type JSONWebKeySet,
  type JWTVerifyGetKey,
} from 'jose';
import { oauthError } from './oauth-error.ts';

/** Where the keys of an issuer come from. */
export interface KeySource {
  /** The public keys themselves, or where they are: https, or http on this machine. Exactly one of the two. */
  readonly jwks?: JSONWebKeySet;
  readonly jwksUri?: string;
}

/** Throws jose's errors for the assertion's faults, ApiError 503 when the keys cannot be fetched. */
export function createIssuerKeys(entry: KeySource): JWTVerifyGetKey {
  if (entry.jwksUri === undefined) return createLocalJWKSet(entry.jwks ?? { keys: [] });
  const remote = createRemoteJWKSet(new URL(entry.jwksUri), {
    timeoutDuration: 5000,
    cooldownDuration: 30_000,
    cacheMaxAge: 600_000,
    [customFetch]: fetchBounded,
  });
  return async (header, token) => {
    try {
      return await remote(header, token);
    } catch (error) {
      const ofTheAssertion =
        error instanceof errors.JWKSNoMatchingKey ||
        error instanceof errors.JWKSMultipleMatchingKeys ||
        error instanceof errors.JOSENotSupported;
      if (ofTheAssertion) throw error;
      throw oauthError(
        'upstream_unavailable',
        'The keys of the identity provider that issued the assertion cannot be fetched right now. Try again shortly.',
        { error: 'temporarily_unavailable', retryAfter: 30, cause: error },
      );
    }
  };
}

const mostKeyBytes = 262_144;

/** jose forbids redirects and bounds the time; this bounds the size. */
async function fetchBounded(url: string, options: RequestInit): Promise<Response> {
  const answer = await fetch(url, options);
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for await (const chunk of answer.body ?? []) {
    size += chunk.length;
    if (size > mostKeyBytes) throw new Error(`The key set at ${url} is larger than ${mostKeyBytes} bytes.`);
    chunks.push(chunk);
  }
  return new Response(await new Blob(chunks).text(), { status: answer.status, headers: answer.headers });
}
