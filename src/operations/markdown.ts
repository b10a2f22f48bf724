/** Writes the parts of markdown that representations consist of: tables, blocks, and the line about the next page. */

/**
 * Returns a table in Markdown, without a newline at its end; without rows it has only the head. Each cell, also of the head, is on
 * one line, with its backslashes and bars escaped; null, undefined and an empty text become a dash, and booleans "yes" or "no".
 */
export function writeTable(head: readonly string[], rows: readonly (readonly unknown[])[]): string {
  const writeRow = (cells: readonly unknown[]) => `| ${cells.map(writeCell).join(' | ')} |`;
  return [writeRow(head), writeRow(head.map(() => '---')), ...rows.map(writeRow)].join('\n');
}

function writeCell(value: unknown): string {
  if (value === null || value === undefined || value === '') return '–';
  if (value === true) return 'yes';
  if (value === false) return 'no';
  return String(value).replaceAll('\\', '\\\\').replaceAll('|', '\\|').replace(/\s+/g, ' ');
}

/** Joins blocks with a blank line between them and a newline at the end, which is there even without blocks; empty ones are left out. */
export const joinBlocks = (...blocks: readonly (string | null | false)[]): string =>
  `${blocks.filter((block) => typeof block === 'string' && block !== '').join('\n\n')}\n`;

/** Returns the line under a listing that says how to get the next page, or null on the last one. */
export const writeMoreLine = (nextCursor: string | null): string | null =>
  nextCursor === null ? null : `More follow: repeat the request with \`cursor=${nextCursor}\`.`;
