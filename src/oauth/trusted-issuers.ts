/** The identity providers whose assertions are accepted: configured by the operator, and the only place where keys come from. */
import type { JSONWebKeySet, JWTVerifyGetKey } from 'jose';
import { isLoopback } from '../base/loopback.ts';
import { createOAuthError } from './errors.ts';

/** The URN of an ID-JAG (draft-ietf-oauth-identity-assertion-authz-grant, as of April 2026). */
export const idJag = 'urn:ietf:params:oauth:token-type:id-jag';
/** The URN of a plain JWT (RFC 8693 section 3). */
export const jwt = 'urn:ietf:params:oauth:token-type:jwt';

/** The types of assertion that this server reads. */
export const assertionTypes = [idJag, jwt] as const;

/** The type of an assertion, as a URN. */
export type AssertionType = (typeof assertionTypes)[number];

/** An entry of the operator's list. Exactly one of `jwks` and `jwksUri` is present. */
export interface IssuerSettings {
  /** Equals `iss`, character by character. */
  readonly issuer: string;
  /** The public keys. */
  readonly jwks?: JSONWebKeySet | undefined;
  /** The URL of the public keys: https, or http on this machine. */
  readonly jwksUri?: string | undefined;
  /** Signature algorithms; by default ES256, RS256, PS256, EdDSA and Ed25519. */
  readonly algorithms?: readonly string[] | undefined;
  /** Types of assertion; by default both. */
  readonly assertionTypes?: readonly AssertionType[] | undefined;
  /** Values of `client_id` that assertions may have at registration; by default any. */
  readonly clientIds?: readonly string[] | undefined;
  /** The widest scopes that assertions can grant; by default any. */
  readonly maxScopes?: readonly string[] | undefined;
}

/** A checked entry with its defaults. */
export interface TrustedIssuer extends IssuerSettings {
  readonly algorithms: readonly string[];
  readonly assertionTypes: readonly AssertionType[];
  /**
   * Finds the key for a header. Rejects with jose's errors for the assertion's faults, and with `upstream_unavailable` if the keys
   * cannot be fetched.
   */
  readonly key: JWTVerifyGetKey;
}

/** The trusted issuers by their identifiers. */
export type TrustedIssuers = ReadonlyMap<string, TrustedIssuer>;

/** Checks the operator's list and fetches nothing yet. Throws an error with every fault, one on each line. */
export function trustIssuers(settings: readonly IssuerSettings[]): TrustedIssuers {
  const faults = settings.flatMap((entry) => findFaults(entry).map((fault) => `${entry.issuer}: ${fault}`));
  const names = settings.map(({ issuer }) => issuer);
  for (const name of new Set(names)) {
    if (names.indexOf(name) !== names.lastIndexOf(name)) faults.push(`${name}: is listed twice`);
  }
  if (faults.length > 0) throw new Error(`The trusted assertion issuers cannot be used:\n${faults.join('\n')}`);
  return new Map(settings.map((entry) => [entry.issuer, toTrustedIssuer(entry)]));
}

const defaultAlgorithms = ['ES256', 'RS256', 'PS256', 'EdDSA', 'Ed25519'];
/** Only public-key algorithms: whoever can check a signature with a shared key can also make one. */
const supportedAlgorithms = [...defaultAlgorithms, 'ES384', 'ES512', 'RS384', 'RS512', 'PS384', 'PS512'];

function findFaults(entry: IssuerSettings): string[] {
  const faults: string[] = [];
  if (entry.issuer === '') faults.push('issuer is empty');
  if ((entry.jwks === undefined) === (entry.jwksUri === undefined)) faults.push('give either jwks or jwks_uri');
  if (entry.jwksUri !== undefined && !isKeyLocation(entry.jwksUri)) faults.push('jwks_uri must be an https URL');
  for (const algorithm of entry.algorithms ?? []) {
    if (!supportedAlgorithms.includes(algorithm)) {
      faults.push(`the algorithm ${algorithm} is not allowed; choose from ${supportedAlgorithms.join(', ')}`);
    }
  }
  return faults;
}

function isKeyLocation(text: string): boolean {
  const url = URL.parse(text);
  return url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname));
}

const toTrustedIssuer = (entry: IssuerSettings): TrustedIssuer => ({
  ...entry,
  algorithms: entry.algorithms ?? defaultAlgorithms,
  assertionTypes: entry.assertionTypes ?? assertionTypes,
  key: createKeyFinder(entry),
});

/** Returns the function that finds the key of an issuer. It loads jose with the first assertion: most servers never receive one. */
function createKeyFinder(entry: IssuerSettings): JWTVerifyGetKey {
  let loading: Promise<JWTVerifyGetKey> | null = null;
  return async (header, token) => {
    loading ??= loadKeys(entry);
    return (await loading)(header, token);
  };
}

/**
 * Returns a function that finds a key among the configured ones, or in the issuer's key set, which it fetches and keeps for ten
 * minutes. That function rejects with jose's errors for the assertion's faults, and with `upstream_unavailable` if the keys cannot
 * be fetched.
 */
async function loadKeys({ jwks, jwksUri }: IssuerSettings): Promise<JWTVerifyGetKey> {
  const { createLocalJWKSet, createRemoteJWKSet, customFetch, errors } = await import('jose');
  if (jwksUri === undefined) return createLocalJWKSet(jwks ?? { keys: [] });
  const remote = createRemoteJWKSet(new URL(jwksUri), {
    timeoutDuration: 5000,
    cooldownDuration: 30_000,
    cacheMaxAge: 600_000,
    [customFetch]: fetchKeySet,
  });
  const assertionFaults = [errors.JWKSNoMatchingKey, errors.JWKSMultipleMatchingKeys, errors.JOSENotSupported];
  return async (header, token) => {
    try {
      return await remote(header, token);
    } catch (error) {
      if (assertionFaults.some((fault) => error instanceof fault)) throw error;
      throw createOAuthError(
        'upstream_unavailable',
        'The keys of the identity provider that issued the assertion cannot be fetched right now. Try again shortly.',
        { error: 'temporarily_unavailable', retryAfter: 30, cause: error },
      );
    }
  };
}

/** Maximum size of a key set, in bytes. */
const maxKeySetBytes = 262_144;

/**
 * Fetches a key set, whatever the status of the response. Rejects with an Error if the request fails or the key set is larger than
 * `maxKeySetBytes`. jose itself forbids redirects and bounds the time.
 */
async function fetchKeySet(url: string, options: RequestInit): Promise<Response> {
  const response = await fetch(url, options);
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > maxKeySetBytes) throw new Error(`The key set at ${url} is larger than ${maxKeySetBytes} bytes.`);
    chunks.push(chunk);
  }
  return new Response(await new Blob(chunks).text(), { status: response.status, headers: response.headers });
}
