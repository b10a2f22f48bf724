/** Formats tables in Markdown, and the numbers in them. */

/** Returns a table in Markdown, without a line break at its end. No cell may contain `|`. */
export function formatTable(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(heads), `|${'---|'.repeat(heads.length)}`, ...rows.map(line)].join('\n');
}

/** Returns a number with `digits` decimals and commas between thousands, such as `1,234.5`, or `–` if it is not finite. */
export function formatNumber(value: number, digits: number): string {
  if (!Number.isFinite(value)) return '–';
  return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}
