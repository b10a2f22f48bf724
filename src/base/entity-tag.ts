/** Creates and compares strong entity tags (RFC 9110 section 8.8.3). */
import { hash } from 'node:crypto';
import { sha256Later } from './hash.ts';

/** Returns the tag of a representation's exact bytes: the first 192 bits of their SHA-256 in base64url, with quotes. */
export const createEtag = (bytes: string | Uint8Array): string => createTag(hash('sha256', bytes, 'base64url'));

/** Returns the tag of bytes whose SHA-256 (hex) is known. */
export const createEtagFromSha256 = (hex: string): string => createTag(Buffer.from(hex, 'hex').toString('base64url'));

/**
 * Returns the same tag as `createEtag` for many megabytes, which are hashed outside of the event loop. Rejects for memory that
 * threads share.
 */
export const createLargeEtag = async (bytes: Uint8Array): Promise<string> =>
  createTag((await sha256Later(bytes)).toString('base64url'));

/**
 * Returns the tag of a representation in a content coding: `tag` with a suffix such as `-br` or `-gz` before its closing quote, or
 * `tag` itself for `identity`. The coded bytes are not hashed: they may differ between builds of zlib.
 */
export const createCodedTag = (tag: string, coding: string): string =>
  coding === 'identity' ? tag : `${tag.slice(0, -1)}-${coding === 'gzip' ? 'gz' : coding}"`;

const createTag = (sha256: string): string => `"${sha256.slice(0, 32)}"`;

/**
 * Returns whether `tag`, from If-Range, equals `etag`, the tag of the representation, by strong comparison (section 13.1.5): a weak
 * tag (`W/`) never does.
 */
export const isSame = (tag: string, etag: string): boolean => tag === etag && !tag.startsWith('W/');

const entityTag = /(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")/g;

/**
 * Returns whether If-None-Match, a list or `*`, names the tag, by weak comparison (section 13.1.2): `W/` is ignored. An empty text
 * names none.
 */
export function isAmong(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch === '') return false;
  if (ifNoneMatch === etag || ifNoneMatch.trim() === '*') return true;
  for (const [, opaque] of ifNoneMatch.matchAll(entityTag)) if (opaque === etag) return true;
  return false;
}
