/** Hashes in the spellings that the service uses. */
import { hash } from 'node:crypto';

export const sha256Hex = (data: string | Uint8Array): string => hash('sha256', data, 'hex');

const sha256Base64url = (data: string | Uint8Array): string => hash('sha256', data, 'base64url');

export const sha256Bytes = (data: string | Uint8Array): Buffer => hash('sha256', data, 'buffer');

/** A strong entity tag over a representation's exact bytes (RFC 9110 section 8.8.3): quoted, 192 bits. */
export const etagOf = (bytes: string | Uint8Array): string => tagOf(sha256Base64url(bytes));

/** The same from the SHA-256 (hex) of the bytes, where that is at hand. */
export const etagOfSha256 = (hex: string): string => tagOf(Buffer.from(hex, 'hex').toString('base64url'));

const tagOf = (sha256: string): string => `"${sha256.slice(0, 32)}"`;

/** For Redis, which names scripts by it; nothing is protected with it. */
export const sha1Hex = (data: string): string => hash('sha1', data, 'hex');
