/** If-None-Match (RFC 9110 section 13.1.2): whether the client already has what it would get. */

const entityTag = /(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")/g;

/** Weak comparison: `W/` is ignored. Takes a list and `*`. */
export function noneMatch(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch === '') return false;
  if (ifNoneMatch === etag || ifNoneMatch.trim() === '*') return true;
  for (const [, opaque] of ifNoneMatch.matchAll(entityTag)) if (opaque === etag) return true;
  return false;
}
