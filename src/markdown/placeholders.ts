/** Facts in a text, such as `{latest.version}`, which are filled in outside code. */
import { createLineMap, type Position } from '../base/line-map.ts';
import type { PlacedHeading } from './outline.ts';
import type { Parsed } from './parser.ts';
import { type LinkSpan, replaceSpans } from './relink.ts';

/** A fact in the source; offsets into the source, `end` exclusive. */
export interface Placeholder {
  /** Such as `latest.version`. */
  readonly name: string;
  readonly start: number;
  readonly end: number;
  /** The reason why the fact cannot be filled in: an address would change with it. Null if it can. */
  readonly problem: 'heading' | 'link' | null;
}

/** The value of each fact as plain text, by its name; a fact without a value is not there. */
export type FactValues = ReadonlyMap<string, string>;

/** A fact of a family that has facts; a backslash before the brace makes it text. */
const pattern = /(?<!\\)\{((?:latest|minimum|price)\.[\w.-]{1,80})\}/g;

/**
 * Returns the facts of the families `latest`, `minimum` and `price` in a text with their positions, in its order, whether or not
 * there is a fact of that name. Code, tags and comments have none.
 */
export function findPlaceholders(
  { source, tokens, marks, destinations }: Parsed,
  headings: readonly PlacedHeading[],
): (Placeholder & Position)[] {
  if (!source.includes('{')) return [];
  const codeLines = new Set(
    tokens.flatMap(({ type, map }) =>
      map !== null && (type === 'fence' || type === 'code_block')
        ? Array.from({ length: map[1] - map[0] }, (_, index) => map[0] + index + 1)
        : [],
    ),
  );
  const headingLines = new Set(headings.map(({ line }) => line));
  const positionAt = createLineMap(source);
  const isInMark = createOverlap(marks);
  const isInAddress = createOverlap(destinations);
  return [...source.matchAll(pattern)].flatMap(({ index: start, 0: whole, 1: name = '' }) => {
    const end = start + whole.length;
    const position = positionAt(start);
    if (isInMark(start, end) || codeLines.has(position.line)) return [];
    const problem = isInAddress(start, end) ? 'link' : headingLines.has(position.line) ? 'heading' : null;
    return [{ name, start, end, problem, ...position }];
  });
}

/** Creates the test whether a range overlaps one of the pieces, which are in order. It has to be called with ranges in order, too. */
function createOverlap(
  pieces: readonly { readonly start: number; readonly end: number }[],
): (start: number, end: number) => boolean {
  let next = 0;
  return (start, end) => {
    while ((pieces[next]?.end ?? Number.POSITIVE_INFINITY) <= start) next += 1;
    return (pieces[next]?.start ?? Number.POSITIVE_INFINITY) < end;
  };
}

/** Returns the text with the value of each fact, not escaped, also where it has a `problem`; one without a value stays as it is. */
export const fillPlaceholders = (text: string, placeholders: readonly Placeholder[], values: FactValues): string =>
  replaceSpans(text, placeholders, ({ name }) => values.get(name) ?? null);

/** Returns the spans of links, which are in order, at their places in the text that `fillPlaceholders` returns. */
export function shiftSpans(
  spans: readonly LinkSpan[],
  placeholders: readonly Placeholder[],
  values: FactValues,
): LinkSpan[] {
  let passedCount = 0;
  let shift = 0;
  return spans.map((span) => {
    for (
      let fact = placeholders[passedCount];
      fact !== undefined && fact.end <= span.start;
      fact = placeholders[passedCount]
    ) {
      const length = fact.end - fact.start;
      shift += (values.get(fact.name)?.length ?? length) - length;
      passedCount += 1;
    }
    return { ...span, start: span.start + shift, end: span.end + shift };
  });
}

/** Fills in the facts of a plain text that was made from Markdown without its code; one without a value stays as it is. */
export const fillPlainText = (text: string, values: FactValues): string =>
  text.replace(pattern, (whole, name: string) => values.get(name) ?? whole);
