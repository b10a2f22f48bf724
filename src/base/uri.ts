/** Percent-encoding of URLs. */

/** Decodes a percent-encoded text; a text that cannot be decoded stays as it is. */
export function decodeUri(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
