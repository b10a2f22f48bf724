/** Hashes in the spellings that the service uses. */
import { createHash, hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';

export const sha256Hex = (data: string | Uint8Array): string => hash('sha256', data, 'hex');

export const sha256Bytes = (data: string | Uint8Array): Buffer => hash('sha256', data, 'buffer');

/** Hashes many megabytes, one in each turn of the event loop. */
export async function sha256InPieces(bytes: Uint8Array): Promise<Buffer> {
  const hasher = createHash('sha256').update(bytes.subarray(0, piece));
  for (let offset = piece; offset < bytes.length; offset += piece) {
    await setImmediate();
    hasher.update(bytes.subarray(offset, offset + piece));
  }
  return hasher.digest();
}

const piece = 1_000_000;
