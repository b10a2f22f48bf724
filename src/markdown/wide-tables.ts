/** Finds the tables that a phone has no room for: their rows become lists there, each cell behind the name of its column. */
import type { Token } from 'markdown-it';

/** What fits on a phone, in characters, with three columns. */
const fits = 44;
/** The space that each further column takes. */
const gap = 3;
/** A longer cell breaks into lines. */
const mostOfCell = 40;

export interface WideTables {
  /** The opening tokens of the tables. */
  readonly stacked: ReadonlySet<Token>;
  /** The name of the column, by the token of a cell that is not the first of its row. */
  readonly labels: ReadonlyMap<Token, string>;
}

export function wideTables(tokens: readonly Token[]): WideTables {
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
      widths[column] = Math.max(widths[column] ?? 0, Math.min(mostOfCell, text.length));
      if (token.type === 'th_open') names.push(text);
      else cells.push({ token, column });
      column += 1;
    } else if (token.type === 'table_close' && table !== null) {
      if (names.length > 2 && widths.reduce((sum, width) => sum + width, gap * (names.length - 3)) > fits) {
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
