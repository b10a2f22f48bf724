/** Finds the tables that are too wide for a phone: their rows become lists there, each cell behind the name of its column. */
import type { Token } from 'markdown-it';

/** Maximum width of a table with three columns on a phone, in characters. */
const maxWidth = 44;
/** Width that each further column takes, in characters. */
const gap = 3;
/** Maximum width of a cell, in characters; a longer one breaks into lines. */
const maxCellWidth = 40;

/** Returns the names of columns in wide tables, by the token of each cell but those of the first column; the opening token of a wide table has an empty one. */
export function findColumnLabels(tokens: readonly Token[]): ReadonlyMap<Token, string> {
  const labels = new Map<Token, string>();
  let table: Token | null = null;
  let [names, widths]: [string[], number[]] = [[], []];
  let cells: { readonly token: Token; readonly column: number }[] = [];
  let column = 0;
  tokens.forEach((token, index) => {
    if (token.type === 'table_open') [table, names, widths, cells] = [token, [], [], []];
    else if (token.type === 'tr_open') column = 0;
    else if (token.type === 'th_open' || token.type === 'td_open') {
      const text = plainText(tokens[index + 1]);
      widths[column] = Math.max(widths[column] ?? 0, Math.min(maxCellWidth, text.length));
      if (token.type === 'th_open') names.push(text);
      else cells.push({ token, column });
      column += 1;
    } else if (token.type === 'table_close' && table !== null && names.length > 2) {
      if (widths.reduce((sum, width) => sum + width, gap * (names.length - 3)) <= maxWidth) return;
      labels.set(table, '');
      for (const cell of cells) {
        const name = names[cell.column] ?? '';
        if (cell.column > 0 && name !== '') labels.set(cell.token, name);
      }
    }
  });
  return labels;
}

const plainText = (inline: Token | undefined): string =>
  (inline?.children ?? [])
    .map(({ type, content }) => (type === 'text' || type === 'code_inline' ? content : ''))
    .join('');
