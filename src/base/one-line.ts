/** Puts plain text on one line, in which search results can mark words. */

/**
 * Returns a text on one line: white space and control characters become single spaces and are removed at the ends, two or more `*`
 * in a row are removed, and broken characters (lone surrogates) become U+FFFD.
 */
export const joinLines = (text: string): string =>
  text
    .toWellFormed()
    .replace(/\*{2,}/g, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
