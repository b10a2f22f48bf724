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
  let table: [Token, string][] = [];
  let [names, widths]: [string[], number[]] = [[], []];
  let column = 0;
  tokens.forEach((token, index) => {
    if (token.type === 'table_open') [table, names, widths] = [[[token, '']], [], []];
    else if (token.type === 'tr_open') column = 0;
    else if (token.type === 'th_open' || token.type === 'td_open') {
      const text = plainText(tokens[index + 1]);
      const name = names[column];
      widths[column] = Math.max(widths[column] ?? 0, Math.min(maxCellWidth, text.length));
      if (token.type === 'th_open') names.push(text);
      else if (column > 0 && name) table.push([token, name]);
      column += 1;
    } else if (token.type === 'table_close' && names.length > 2) {
      const width = widths.reduce((sum, one) => sum + one, gap * (names.length - 3));
      if (width > maxWidth) for (const [cell, name] of table) labels.set(cell, name);
    }
  });
  return labels;
}

const plainText = (inline: Token | undefined): string =>
  (inline?.children ?? [])
    .map(({ type, content }) => (type === 'text' || type === 'code_inline' ? content : ''))
    .join('');
