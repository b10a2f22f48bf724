/** The strings that open something: made, derived, recognized by their shape, and hashed for the store. */
import { createHmac, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { sha256Bytes } from '../base/hash.ts';

/** cs: client secret. at: access token. ac: authorization code. rat: registration access token. ct: consent ticket. */
export type SecretKind = 'cs' | 'at' | 'ac' | 'rat' | 'ct';

/** `at_` and 43 digits of base 62 (256 random bits) and 6 of a checksum: found by leak scanners, told from noise without a look-up. */
export const newSecret = (kind: SecretKind): string => secretOf(kind, randomBytes(32));

/** The same secret for the same parts; only the holder of the server's key can derive it. */
export const deriveSecret = (kind: SecretKind, key: Uint8Array, parts: readonly unknown[]): string =>
  secretOf(kind, derive(key, kind, parts));

/** `cl_` and 17 digits of base 62: 96 random bits. */
export const newClientId = (): string => clientIdOf(randomBytes(12));

export const deriveClientId = (key: Uint8Array, parts: readonly unknown[]): string =>
  clientIdOf(derive(key, 'cl', parts).subarray(0, 12));

export const isClientId = (text: string): boolean => /^cl_[0-9A-Za-z]{17}$/.test(text);

/** Whether the text has the kind's shape and a right checksum. Says nothing about whether it was ever issued. */
export function isSecret(kind: SecretKind, text: string): boolean {
  if (text.length !== kind.length + 1 + randomDigits + checksumDigits || !text.startsWith(`${kind}_`)) return false;
  if (!/^[a-z]+_[0-9A-Za-z]+$/.test(text)) return false;
  const body = text.slice(0, -checksumDigits);
  return text.endsWith(checksum(body));
}

/** What the store keeps. Plain SHA-256: the input is 256 uniform bits, which no dictionary holds. */
export const hashSecret = (text: string): Buffer => sha256Bytes(text);

const randomDigits = 43;
const checksumDigits = 6;
const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

const clientIdOf = (bytes: Uint8Array): string => `cl_${base62(bytes, 17)}`;

function secretOf(kind: SecretKind, bytes: Uint8Array): string {
  const body = `${kind}_${base62(bytes, randomDigits)}`;
  return body + checksum(body);
}

/** In plain numbers: every request with a token has one checked. */
function checksum(body: string): string {
  let rest = crc32(body);
  let text = '';
  while (text.length < checksumDigits) {
    text = digits.charAt(rest % 62) + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}

/** The bytes as one number, with zeros in front up to `length` digits. */
function base62(bytes: Uint8Array, length: number): string {
  let rest = BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
  let text = '';
  while (text.length < length) {
    text = digits.charAt(Number(rest % 62n)) + text;
    rest /= 62n;
  }
  return text;
}

const derive = (key: Uint8Array, purpose: string, parts: readonly unknown[]): Buffer =>
  createHmac('sha256', key)
    .update(JSON.stringify([purpose, ...parts]))
    .digest();
