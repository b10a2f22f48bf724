/** Finds the line and the column of an offset in a text. */

/** A place in a text. */
export interface Position {
  /** Counted from 1. */
  readonly line: number;
  /** Counted from 1, in UTF-16 code units. */
  readonly column: number;
}

/**
 * Creates the function that finds the line and the column of an offset, which counts UTF-16 code units from 0, in a text whose
 * lines end in `\n`. An offset past the end is on the last line. The line ends are searched once, when the first position is
 * needed.
 *
 * @param firstLine the line of its file that the text starts at
 */
export function createLineMap(text: string, firstLine = 1): (offset: number) => Position {
  let starts: number[] | null = null;
  return (offset) => {
    starts ??= [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
    let [low, high] = [0, starts.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle + 1;
      else high = middle;
    }
    return { line: low + firstLine - 1, column: offset - (starts[low - 1] ?? 0) + 1 };
  };
}
