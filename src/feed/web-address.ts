/** Reads the URLs and sizes of files as sources write them. */

/**
 * Returns the absolute URL of a text, or null if there is none or it is neither http nor https. `base` is what a relative one
 * starts at, and what '' gives; null if nobody knows.
 */
export function resolveWebAddress(text: string | null, base: string | null): string | null {
  if (text === null) return null;
  const url = URL.parse(text.replaceAll(' ', '%20'), base ?? undefined);
  return url !== null && (url.protocol === 'https:' || url.protocol === 'http:') ? url.href : null;
}

/** Returns whether a URL has no scheme and so is relative to the feed's own; '' and `//host/path` count. */
export const isRelative = (text: string): boolean => !/^[a-z][a-z0-9+.-]*:/i.test(text.trim());

/** Parses a size in bytes, of at most 15 digits; null for null, 0 and any other text. */
export function readSize(text: string | null): number | null {
  const bytes = /^\d{1,15}$/.test(text ?? '') ? Number(text) : 0;
  return bytes > 0 ? bytes : null;
}
