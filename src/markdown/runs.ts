/** Where inline content stands in the source: the parser joins lines and cells without their surroundings. */
import type { StateBlock } from 'markdown-it';

/** A stretch of inline content that stands in one piece in the source: content from `start` on is source from `at` on. */
export interface Run {
  start: number;
  at: number;
}

/** Of the lines from `first` up to `end`, one run each: the parser drops the container's indentation from each and joins them. */
export function lineRuns(state: StateBlock, first: number, end: number): Run[] {
  const runs: Run[] = [];
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
    runs.push({ start: length, at });
    length += stop - at + 1;
  }
  return runs;
}

/** The cells of a table's row, split at `|`; in `\|` the parser drops the backslash, which ends a run. */
export function cellRuns(text: string, at: number): Run[][] {
  const row = text.trimEnd();
  const cells: Run[][] = [];
  let open = row.length - row.trimStart().length;
  if (row[open] === '|') open += 1;
  let runs: Run[] = [];
  let length = 0;
  let from = open;
  const close = (to: number) => {
    runs.push({ start: length, at: at + from });
    const cell = row.slice(open, to);
    const blanks = cell.length - cell.trimStart().length;
    cells.push(runs.map((run) => ({ start: run.start - blanks, at: run.at })));
    runs = [];
    length = 0;
  };
  for (let index = open; index < row.length; index += 1) {
    if (row[index] !== '|') continue;
    if (index > open && row[index - 1] === '\\') {
      runs.push({ start: length, at: at + from });
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

/** The place in the source of an offset in the content, or null before its first run. */
export function locate(runs: readonly Run[], offset: number): number | null {
  let low = 0;
  let high = runs.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((runs[middle]?.start ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  const run = runs[low - 1];
  return run === undefined ? null : run.at + offset - run.start;
}
