/** Creates, recognizes and hashes credentials: a prefix that names the kind, an underscore, and random bytes in base64url. */
import { createHmac, randomBytes } from 'node:crypto';
import { sha256Bytes } from '../base/hash.ts';

/** Prefixes: cs client secret, at access token, ac authorization code, rat registration access token, ct consent ticket. */
export type SecretKind = 'cs' | 'at' | 'ac' | 'rat' | 'ct';

/**
 * Creates a secret of 256 random bits: `kind`, an underscore and 43 characters. Secret scanners find a leaked one by its prefix and
 * its length.
 */
export const createSecret = (kind: SecretKind): string => encodeSecret(kind, randomBytes(32));

/**
 * Derives a secret, in the form of `createSecret`, from the server's key: parts with the same JSON give the same secret, and nobody
 * without the key can compute it.
 */
export const deriveSecret = (kind: SecretKind, key: Uint8Array, parts: readonly unknown[]): string =>
  encodeSecret(kind, derive(key, kind, parts));

/** Creates a client identifier of 96 random bits, `cl_` and 16 characters. It is public. */
export const createClientId = (): string => encodeClientId(randomBytes(12));

/** Derives a client identifier from the server's key, as `deriveSecret` derives a secret. */
export const deriveClientId = (key: Uint8Array, parts: readonly unknown[]): string =>
  encodeClientId(derive(key, 'cl', parts).subarray(0, 12));

/** The form of a client identifier, which the API description publishes. */
export const clientIdPattern = /^cl_[A-Za-z0-9_-]{16}$/;

/** Returns whether the text has the form of a client identifier, so that nothing else reaches the store. */
export const isClientId = (text: string): boolean => clientIdPattern.test(text);

/** Returns whether the text has the form of a secret of this kind. Only the store knows whether it was issued. */
export const isSecret = (kind: SecretKind, text: string): boolean =>
  /^(at|cs|ac|ct|rat)_[\w-]{43}$/.exec(text)?.[1] === kind;

/** Returns what the store keeps of a secret: the 32 bytes of its SHA-256. One is enough: no dictionary contains 256 uniform bits. */
export const hashSecret = (text: string): Buffer => sha256Bytes(text);

const encodeSecret = (kind: SecretKind, bytes: Buffer): string => `${kind}_${bytes.toString('base64url')}`;

const encodeClientId = (bytes: Buffer): string => `cl_${bytes.toString('base64url')}`;

const derive = (key: Uint8Array, purpose: string, parts: readonly unknown[]): Buffer =>
  createHmac('sha256', key)
    .update(JSON.stringify([purpose, ...parts]))
    .digest();
