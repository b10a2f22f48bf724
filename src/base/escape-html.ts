/** Escapes text for HTML and SVG. */

/** Returns the text with the characters escaped that have a meaning in elements and in quoted attributes. */
export const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
