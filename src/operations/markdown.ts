/** Small pieces of markdown that the operations' representations are made of. */

/** A table; cells are kept on one line and their bars escaped. */
export function table(head: readonly string[], rows: readonly (readonly unknown[])[]): string {
  const line = (cells: readonly unknown[]) => `| ${cells.map(cell).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function cell(value: unknown): string {
  if (value === null || value === undefined || value === '') return '–';
  if (value === true) return 'yes';
  if (value === false) return 'no';
  return String(value).replaceAll('\\', '\\\\').replaceAll('|', '\\|').replace(/\s+/g, ' ');
}

/** Blocks with a blank line between them, ending in one newline; empty ones are left out. */
export const document = (...blocks: readonly (string | null | false)[]): string =>
  `${blocks.filter((block) => typeof block === 'string' && block !== '').join('\n\n')}\n`;

/** The line under a listing that says how to get the rest. */
export const moreLine = (nextCursor: string | null): string | null =>
  nextCursor === null ? null : `More follow: repeat the request with \`cursor=${nextCursor}\`.`;
