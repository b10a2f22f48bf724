/** Hashes in the spellings that the service uses. */
import { createHash, hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';

export const sha256Hex = (data: string | Uint8Array): string => hash('sha256', data, 'hex');

export const sha256Bytes = (data: string | Uint8Array): Buffer => hash('sha256', data, 'buffer');

/** Of many megabytes: a megabyte in a turn of the event loop. */
export async function sha256InPieces(bytes: Uint8Array): Promise<Buffer> {
  const made = createHash('sha256').update(bytes.subarray(0, piece));
  for (let at = piece; at < bytes.length; at += piece) {
    await setImmediate();
    made.update(bytes.subarray(at, at + piece));
  }
  return made.digest();
}

const piece = 1_000_000;

/** For Redis, which names scripts by it; nothing is protected with it. */
export const sha1Hex = (data: string): string => hash('sha1', data, 'hex');
