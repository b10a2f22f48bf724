/** Writes XML: elements whose texts and attributes are escaped. */

/** An XML element as text, complete and escaped. */
export interface Xml {
  readonly text: string;
}

/** Returns an element with text, which it escapes, or with other elements. */
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

/** Returns the text without the characters that XML 1.0 does not allow, and with those escaped that have a meaning. */
const escapeXml = (text: string): string =>
  text
    .toWellFormed()
    .replace(/(?![\t\n\r])\p{Cc}|[\ufffe\uffff]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
