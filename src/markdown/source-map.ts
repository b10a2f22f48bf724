/** Maps offsets in inline content to offsets in the source: the parser joins lines and cells without what surrounds them. */
import type { StateBlock } from 'markdown-it';

/** A part of inline content that is contiguous in the source. */
export interface SourceRange {
  /** Offset of its first character in the content. */
  start: number;
  /** Offset of the same character in the source. */
  at: number;
}

/** Returns a range for each line from `first` up to `end`: the parser drops the container's indentation from each and joins them. */
export function lineRanges(state: StateBlock, first: number, end: number): SourceRange[] {
  const ranges: SourceRange[] = [];
  let length = 0;
  for (let line = first; line < end; line += 1) {
    const start = state.bMarks[line] ?? 0;
    const stop = state.eMarks[line] ?? start;
    let at = start;
    let indent = 0;
    while (at < stop && indent < state.blkIndent) {
      const code = state.src.charCodeAt(at);
      if (code === 0x09) indent += 4 - ((indent + (state.bsCount[line] ?? 0)) % 4);
      else if (code === 0x20 || at - start < (state.tShift[line] ?? 0)) indent += 1;
      else break;
      at += 1;
    }
    // A tab that reaches beyond the container's indentation leaves spaces that the source does not have.
    length += Math.max(0, indent - state.blkIndent);
    if (line === first) {
      const blanks = state.skipSpaces(at) - at;
      at += blanks;
      length = 0;
    }
    ranges.push({ start: length, at });
    length += stop - at + 1;
  }
  return ranges;
}

/** Returns the ranges of each cell of a table's row, split at `|`; in `\|` the parser drops the backslash, which ends a range. */
export function cellRanges(text: string, at: number): SourceRange[][] {
  const row = text.trimEnd();
  const cells: SourceRange[][] = [];
  let open = row.length - row.trimStart().length;
  if (row[open] === '|') open += 1;
  let ranges: SourceRange[] = [];
  let length = 0;
  let from = open;
  const close = (to: number) => {
    ranges.push({ start: length, at: at + from });
    const cell = row.slice(open, to);
    const blanks = cell.length - cell.trimStart().length;
    cells.push(ranges.map((range) => ({ start: range.start - blanks, at: range.at })));
    ranges = [];
    length = 0;
  };
  for (let index = open; index < row.length; index += 1) {
    if (row[index] !== '|') continue;
    if (index > open && row[index - 1] === '\\') {
      ranges.push({ start: length, at: at + from });
      length += index - 1 - from;
      from = index;
    } else {
      close(index);
      open = index + 1;
      from = open;
    }
  }
  close(row.length);
  return cells;
}

/** Returns the offset in the source of an offset in the content, or null before its first range. */
export function toSourceOffset(ranges: readonly SourceRange[], offset: number): number | null {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ranges[middle]?.start ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  const range = ranges[low - 1];
  return range === undefined ? null : range.at + offset - range.start;
}
