/** Strong entity tags (RFC 9110 section 8.8.3): made here, and compared here. */
import { hash } from 'node:crypto';
import { sha256InPieces } from './hash.ts';

/** Over a representation's exact bytes: quoted, 192 bits. */
export const etagOf = (bytes: string | Uint8Array): string => tagOf(hash('sha256', bytes, 'base64url'));

/** The same from the SHA-256 (hex) of the bytes, where that is at hand. */
export const etagOfSha256 = (hex: string): string => tagOf(Buffer.from(hex, 'hex').toString('base64url'));

/** The same of many megabytes, in several turns of the event loop. */
export const etagOfLarge = async (bytes: Uint8Array): Promise<string> =>
  tagOf((await sha256InPieces(bytes)).toString('base64url'));

/** Of the bytes in a content coding. Not a hash of them: they may differ between builds of zlib, and a tag must not. */
export const codedTag = (tag: string, coding: string): string =>
  coding === 'identity' ? tag : `${tag.slice(0, -1)}-${coding === 'gzip' ? 'gz' : coding}"`;

const tagOf = (sha256: string): string => `"${sha256.slice(0, 32)}"`;

/** If-Range (section 13.1.5), by strong comparison: a weak tag is the same as none. */
export const isSame = (tag: string, etag: string): boolean => tag === etag && !tag.startsWith('W/');

const entityTag = /(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")/g;

/** If-None-Match (section 13.1.2), by weak comparison: `W/` is ignored. Takes a list and `*`. */
export function isAmong(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch === '') return false;
  if (ifNoneMatch === etag || ifNoneMatch.trim() === '*') return true;
  for (const [, opaque] of ifNoneMatch.matchAll(entityTag)) if (opaque === etag) return true;
  return false;
}
