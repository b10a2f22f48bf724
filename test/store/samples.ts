/** Creates valid rows for tests of a store, each with a unique id or hash. */
import { sha256Bytes } from '../../src/base/hash.ts';
import type { NewClient } from '../../src/store/clients.ts';
import type { AuthorizationRequest } from '../../src/store/consent.ts';
import type { NewJob } from '../../src/store/jobs.ts';
import type { NewToken } from '../../src/store/tokens.ts';

/** The time of most rows, in milliseconds since 1970. */
export const start = Date.UTC(2026, 0, 5, 12);
/** A minute in milliseconds. */
export const minute = 60_000;
/** An hour in milliseconds. */
export const hour = 60 * minute;
/** A day in milliseconds. */
export const day = 24 * hour;

let counter = 0;
/** Returns `prefix` followed by a number that no earlier call had. */
export const unique = (prefix: string): string => {
  counter += 1;
  return `${prefix}${counter}`;
};

/** Returns a SHA-256 hash that no earlier call returned. */
export const newHash = (): Buffer => sha256Bytes(unique('sample '));

/** Returns a valid client with a new id. */
export function newClient(changes: Partial<NewClient> = {}): NewClient {
  return {
    id: unique('cl_'),
    secretHash: newHash(),
    registrationTokenHash: newHash(),
    requestHash: null,
    issuedAt: start,
    name: 'Überprüfer 🦉',
    redirectUris: ['https://client.example/callback?x=1'],
    grantTypes: ['client_credentials', 'authorization_code'],
    authMethod: 'client_secret_basic',
    scopes: ['read:docs', 'export:docs'],
    softwareId: 'software',
    softwareVersion: null,
    contacts: ['someone@client.example'],
    identityType: 'anonymous',
    assertionIssuer: null,
    assertionSubject: null,
    ...changes,
  };
}

/** Returns a valid token of a client, which is valid for an hour from `start`. */
export function newToken(clientId: string, changes: Partial<NewToken> = {}): NewToken {
  return {
    hash: newHash(),
    clientId,
    epoch: 1,
    scopes: ['read:docs'],
    identityType: 'anonymous',
    issuedAt: start,
    expiresAt: start + hour,
    ...changes,
  };
}

/** Returns a valid authorization code of a client, which expires a minute after `start`. */
export const newCode = (clientId: string): AuthorizationRequest => ({
  hash: newHash(),
  clientId,
  epoch: 1,
  redirectUri: 'https://client.example/callback?x=1',
  challenge: 'c'.repeat(43),
  scopes: ['read:docs', 'export:docs'],
  state: null,
  expiresAt: start + minute,
});

/** Returns a valid consent ticket of a client, which expires ten minutes after `start`. */
export const newTicket = (clientId: string): AuthorizationRequest => ({
  hash: newHash(),
  clientId,
  epoch: 1,
  redirectUri: 'https://client.example/callback?x=1',
  challenge: 'c'.repeat(43),
  scopes: ['read:docs'],
  state: 'a "state" ü',
  expiresAt: start + 10 * minute,
});

/** Returns a valid job of a client. */
export const newJob = (clientId: string, createdAt = start): NewJob => ({
  id: unique('job_'),
  clientId,
  resource: 'docs',
  format: 'markdown',
  createdAt,
});

/** Returns a copy of the value in which every array of bytes, at any depth, is its hex, so that a Buffer equals a Uint8Array. */
export function encodeBytes(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
  if (Array.isArray(value)) return value.map(encodeBytes);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, encodeBytes(member)]));
}
