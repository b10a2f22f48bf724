/** SHA-256 in the forms that the service uses. */
import { hash } from 'node:crypto';

/** Returns the SHA-256 of a text's UTF-8, or of bytes, in lowercase hexadecimal. */
export const sha256Hex = (data: string | Uint8Array): string => hash('sha256', data, 'hex');

/** Returns the 32 bytes of the SHA-256 of a text's UTF-8, or of bytes. */
export const sha256Bytes = (data: string | Uint8Array): Buffer => hash('sha256', data, 'buffer');

/**
 * Returns the 32 bytes of the SHA-256 of many megabytes, which are hashed outside of the event loop. Rejects for memory that
 * threads share.
 */
export const sha256Later = async (bytes: Uint8Array): Promise<Buffer> =>
  Buffer.from(await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>));
