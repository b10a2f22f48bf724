/** Hashes in the spellings that the service uses. */
import { hash } from 'node:crypto';

export const sha256Hex = (data: string | Uint8Array): string => hash('sha256', data, 'hex');

export const sha256Bytes = (data: string | Uint8Array): Buffer => hash('sha256', data, 'buffer');

/** For Redis, which names scripts by it; nothing is protected with it. */
export const sha1Hex = (data: string): string => hash('sha1', data, 'hex');
