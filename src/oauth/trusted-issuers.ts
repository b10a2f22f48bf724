/** The identity providers whose assertions count: the operator's data, and the only place where keys come from. */

import type { JWTVerifyGetKey } from 'jose';
import { isLoopback } from '../base/loopback.ts';
import { type AssertionType, assertionTypes } from './assertion-types.ts';
import type { KeySource } from './issuer-keys.ts';

export interface IssuerSettings extends KeySource {
  /** Compared character by character with `iss`. */
  readonly issuer: string;
  /** Signature algorithms; ES256, RS256, PS256 and EdDSA unless given. */
  readonly algorithms?: readonly string[];
  /** Both types unless given. */
  readonly assertionTypes?: readonly AssertionType[];
  /** The `client_id`s that its assertions may carry at registration; any unless given. */
  readonly clientIds?: readonly string[];
  /** The widest scope that its assertions may lead to; any unless given. */
  readonly maxScopes?: readonly string[];
}

export interface TrustedIssuer {
  readonly issuer: string;
  readonly algorithms: readonly string[];
  readonly assertionTypes: readonly AssertionType[];
  readonly clientIds: readonly string[] | null;
  readonly maxScopes: readonly string[] | null;
  /** The key for a header. Throws jose's errors for the assertion's faults, ApiError 503 when the keys cannot be fetched. */
  readonly key: JWTVerifyGetKey;
}

export type TrustedIssuers = ReadonlyMap<string, TrustedIssuer>;

/** Prepares the operator's list; fetches nothing yet. Throws with every fault, one a line. */
export function trustIssuers(settings: readonly IssuerSettings[]): TrustedIssuers {
  const faults = settings.flatMap((entry) => issuerFaults(entry).map((fault) => `${entry.issuer}: ${fault}`));
  const names = settings.map(({ issuer }) => issuer);
  for (const name of new Set(names)) {
    if (names.indexOf(name) !== names.lastIndexOf(name)) faults.push(`${name}: is listed twice`);
  }
  if (faults.length > 0) throw new Error(`The trusted assertion issuers cannot be used:\n${faults.join('\n')}`);
  return new Map(settings.map((entry) => [entry.issuer, toTrusted(entry)]));
}

const defaultAlgorithms = ['ES256', 'RS256', 'PS256', 'EdDSA', 'Ed25519'];
/** Only public-key algorithms: with a shared key, whoever can check a signature can make one. */
const knownAlgorithms = [...defaultAlgorithms, 'ES384', 'ES512', 'RS384', 'RS512', 'PS384', 'PS512'];

function issuerFaults(entry: IssuerSettings): string[] {
  const faults: string[] = [];
  if (entry.issuer === '') faults.push('issuer is empty');
  if ((entry.jwks === undefined) === (entry.jwksUri === undefined)) faults.push('give either jwks or jwks_uri');
  if (entry.jwksUri !== undefined && !isKeyLocation(entry.jwksUri)) faults.push('jwks_uri must be an https URL');
  for (const algorithm of entry.algorithms ?? []) {
    if (!knownAlgorithms.includes(algorithm)) {
      faults.push(`the algorithm ${algorithm} is not allowed; choose from ${knownAlgorithms.join(', ')}`);
    }
  }
  return faults;
}

function isKeyLocation(text: string): boolean {
  const url = URL.parse(text);
  if (url === null) return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname));
}

const toTrusted = (entry: IssuerSettings): TrustedIssuer => ({
  issuer: entry.issuer,
  algorithms: entry.algorithms ?? defaultAlgorithms,
  assertionTypes: entry.assertionTypes ?? assertionTypes,
  clientIds: entry.clientIds ?? null,
  maxScopes: entry.maxScopes ?? null,
  key: keysOf(entry),
});

/** The library behind it is loaded with the first assertion: most servers never see one. */
function keysOf(entry: IssuerSettings): JWTVerifyGetKey {
  let made: Promise<JWTVerifyGetKey> | null = null;
  return async (header, token) => {
    made ??= import('./issuer-keys.ts').then(({ createIssuerKeys }) => createIssuerKeys(entry));
    return (await made)(header, token);
  };
}
