/** Writes XML: elements whose texts and attributes are escaped. */

/** An XML element as text, complete and escaped. */
export interface Xml {
  readonly text: string;
}

/**
 * Returns an element with text or with other elements; without either it is a tag such as `<link/>`. The text and the values of the
 * attributes are escaped.
 */
export function createElement(
  name: string,
  attributes: Readonly<Record<string, string>>,
  content: string | readonly Xml[] = [],
): Xml {
  const pairs = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeXml(value)}"`);
  const inside = typeof content === 'string' ? escapeXml(content) : content.map(({ text }) => text).join('\n');
  const open = `<${name}${pairs.join('')}`;
  if (inside === '') return { text: `${open}/>` };
  return { text: typeof content === 'string' ? `${open}>${inside}</${name}>` : `${open}>\n${inside}\n</${name}>` };
}

/** Returns an XML document, with its declaration, of which this is the root element. */
export const writeXml = ({ text }: Xml): string => `<?xml version="1.0" encoding="utf-8"?>\n${text}\n`;

/**
 * Returns the text with `&`, `<`, `>` and `"` escaped, and without control characters other than tabs and line breaks and without
 * U+FFFE and U+FFFF. A lone surrogate becomes U+FFFD.
 */
const escapeXml = (text: string): string =>
  text
    .toWellFormed()
    .replace(/(?![\t\n\r])\p{Cc}|[\ufffe\uffff]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
