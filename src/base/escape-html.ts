/** Escapes text for HTML and SVG. */

/** Returns the text with `&`, `<`, `>` and `"` escaped, for elements and for attributes in double quotes. */
export const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
