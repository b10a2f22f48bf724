/** Puts plain text on one line, in which search results can mark words. */

/** Replaces white space by single spaces, and removes it at the ends; removes `**` and broken characters. */
export const joinLines = (text: string): string =>
  text
    .toWellFormed()
    .replace(/\*{2,}/g, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
