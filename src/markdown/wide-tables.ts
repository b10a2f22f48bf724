/** Finds the tables that are too wide for a phone: their rows become lists there, each cell behind the name of its column. */
import type { Token } from 'markdown-it';

/** Maximum width of a table with three columns on a phone, in characters. */
const maxWidth = 44;
/** Width that each further column takes, in characters. */
const gap = 3;
/** Maximum width of a cell, in characters; a longer one breaks into lines. */
const maxCellWidth = 40;

/** The wide tables of a text, and the labels of their cells. */
export interface WideTables {
  /** Opening tokens of the wide tables. */
  readonly stacked: ReadonlySet<Token>;
  /** Name of the column, by the token of a cell that is not the first of its row. */
  readonly labels: ReadonlyMap<Token, string>;
}

/** Finds the wide tables of a text. */
export function findWideTables(tokens: readonly Token[]): WideTables {
  const stacked = new Set<Token>();
  const labels = new Map<Token, string>();
  let table: Token | null = null;
  let names: string[] = [];
  let widths: number[] = [];
  let cells: { token: Token; column: number }[] = [];
  let column = 0;
  tokens.forEach((token, index) => {
    if (token.type === 'table_open') {
      [table, names, widths, cells] = [token, [], [], []];
    } else if (token.type === 'tr_open') {
      column = 0;
    } else if (table !== null && (token.type === 'th_open' || token.type === 'td_open')) {
      const text = plainText(tokens[index + 1]);
      widths[column] = Math.max(widths[column] ?? 0, Math.min(maxCellWidth, text.length));
      if (token.type === 'th_open') names.push(text);
      else cells.push({ token, column });
      column += 1;
    } else if (token.type === 'table_close' && table !== null) {
      if (names.length > 2 && widths.reduce((sum, width) => sum + width, gap * (names.length - 3)) > maxWidth) {
        stacked.add(table);
        for (const cell of cells) {
          const name = names[cell.column] ?? '';
          if (cell.column > 0 && name !== '') labels.set(cell.token, name);
        }
      }
      table = null;
    }
  });
  return { stacked, labels };
}

const plainText = (inline: Token | undefined): string =>
  (inline?.children ?? [])
    .map(({ type, content }) => (type === 'text' || type === 'code_inline' ? content : ''))
    .join('');
