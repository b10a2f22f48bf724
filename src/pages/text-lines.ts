/** Breaks a title into lines of a width, in any script. */

export interface LineFit {
  /** The largest first; each with the number of lines that it may fill. */
  readonly sizes: readonly { readonly size: number; readonly most: number }[];
  readonly width: number;
  /** The width of a text of size 1. */
  widthOf(text: string): number;
}

export interface FittedLines {
  readonly size: number;
  readonly lines: readonly string[];
}

/** The largest size in which the text fits; cut, with an ellipsis, where it fits in none. */
export function fitLines(text: string, { sizes, width, widthOf }: LineFit): FittedLines {
  let last: FittedLines = { size: 1, lines: [] };
  for (const { size, most } of sizes) {
    const lines = linesOf(text, (line) => widthOf(line) * size <= width);
    if (lines.length <= most) return { size, lines };
    last = { size, lines: cut(lines, most, (line) => widthOf(line) * size <= width) };
  }
  return last;
}

type Fits = (line: string) => boolean;

/** Breaks at spaces; a word that is wider than a line, as a sentence is in scripts without spaces, breaks within. */
function linesOf(text: string, fits: Fits): string[] {
  const lines: string[] = [];
  let line = '';
  const put = (piece: string, separator: string): void => {
    const longer = line === '' ? piece : line + separator + piece;
    if (line === '' || fits(longer)) {
      line = longer;
      return;
    }
    lines.push(line);
    line = piece;
  };
  for (const word of text.trim().split(/\s+/u)) {
    let separator = ' ';
    for (const piece of fits(word) ? [word] : piecesOf(word, fits)) {
      put(piece, separator);
      separator = '';
    }
  }
  return line === '' ? lines : [...lines, line];
}

const words = new Intl.Segmenter(undefined, { granularity: 'word' });
const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
const charactersOf = (text: string): string[] => Array.from(graphemes.segment(text), ({ segment }) => segment);

/** Parts between which a line may end: closing punctuation stays with what is before it, an opening bracket with what follows. */
function piecesOf(word: string, fits: Fits): string[] {
  const pieces: string[] = [];
  for (const { segment } of words.segment(word)) {
    const before = pieces.at(-1);
    const isJoined = before !== undefined && (/^[\p{P}\p{M}]/u.test(segment) || /[\p{Ps}\p{Pi}]$/u.test(before));
    if (isJoined && !/^[\p{Ps}\p{Pi}]/u.test(segment)) pieces[pieces.length - 1] = before + segment;
    else pieces.push(segment);
  }
  return pieces.flatMap((piece) => (fits(piece) ? [piece] : charactersOf(piece)));
}

function cut(lines: readonly string[], most: number, fits: Fits): string[] {
  const kept = lines.slice(0, most);
  const last = charactersOf(kept.pop() ?? '');
  while (last.length > 0 && !fits(`${last.join('').trimEnd()}…`)) last.pop();
  return [...kept, `${last.join('').trimEnd()}…`];
}
