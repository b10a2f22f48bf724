/** Plain-text notes as markdown, and plain text out of HTML that cannot be converted. */

/** Keeps the lines as they are (two spaces make markdown break there) and takes the meaning from `<` and from links. */
export function plainTextToMarkdown(text: string): string {
  const lines = text
    // A backslash in front would take the meaning of what follows: it is doubled. An entity is no tag, whatever stands around it.
    .replace(/(?<!\\)(\\*)<(?=[!/?A-Za-z])/g, '$1$1&lt;')
    .replace(/(?<!\\)(\\*)\](?=[(:[])/g, '$1$1\\]')
    .split('\n')
    .map((line) => line.trimEnd());
  return lines.map((line, index) => (line !== '' && (lines[index + 1] ?? '') !== '' ? `${line}  ` : line)).join('\n');
}

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'", nbsp: ' ' };

/** Elements whose text no reader is meant to see; one that is never closed reaches to the end. */
const unread =
  /<!--[\s\S]*?(?:-->|$)|<(script|style|title|head|noscript|template|svg|math|iframe|object|textarea)\b[^<>]*>[\s\S]*?(?:<\/\1\b[^<>]*>|$)/gi;

/** Without its tags, scripts and styles, a line for each block. What is left may hold `<`: it goes through plainTextToMarkdown. */
export function textOfHtml(html: string): string {
  return html
    .replace(unread, '')
    .replace(/<\/(?:p|div|li|h[1-6]|tr)>|<br\s?\/?>/gi, '\n')
    .replace(/<[^<>]*>/g, '')
    .replace(/&([a-z]{2,4});/g, (whole, name: string) => entities[name] ?? whole)
    .replace(/\n{3,}/g, '\n\n');
}
