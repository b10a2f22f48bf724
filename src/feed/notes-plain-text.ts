/** Plain-text notes as markdown, and plain text out of HTML that cannot be converted. */

/** Keeps the lines as they are (two spaces make markdown break there) and takes the meaning from `<` and from links. */
export function plainTextToMarkdown(text: string): string {
  const lines = text
    .replace(/<(?=[!/?A-Za-z])/g, '\\<')
    .replace(/\](?=[(:[])/g, '\\]')
    .split('\n')
    .map((line) => line.trimEnd());
  return lines.map((line, index) => (line !== '' && (lines[index + 1] ?? '') !== '' ? `${line}  ` : line)).join('\n');
}

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'", nbsp: ' ' };

/** Without its tags, a line for each block. What is left may hold `<`: it goes through plainTextToMarkdown. */
export function textOfHtml(html: string): string {
  return html
    .replace(/<\/(?:p|div|li|h[1-6]|tr)>|<br\s?\/?>/gi, '\n')
    .replace(/<[^<>]*>/g, '')
    .replace(/&([a-z]{2,4});/g, (whole, name: string) => entities[name] ?? whole)
    .replace(/\n{3,}/g, '\n\n');
}
