/** Reads markdown once: headings with anchors, sections of plain text, links with positions. */
import { type HtmlOptions, toHtml } from './html.ts';
import { type CodeFence, outline, type PlacedHeading, type Section } from './outline.ts';
import { type Destination, type Parsed, parse } from './parser.ts';

export type { HtmlOptions } from './html.ts';
export type { Section } from './outline.ts';

export interface Heading {
  readonly level: number;
  readonly text: string;
  readonly anchor: string;
}

/** A link, placed where its destination is written. A reference definition counts once, however often it is used. */
export interface Link {
  /** As written, with markdown's escapes and entities resolved. */
  readonly href: string;
  /** Counted from 1. */
  readonly line: number;
  /** Counted from 1, in UTF-16 units. */
  readonly column: number;
  readonly image: boolean;
}

export interface ParsedMarkdown {
  readonly headings: readonly PlacedHeading[];
  readonly links: readonly Link[];
  readonly sections: readonly Section[];
  /** Headings, paragraphs, rows and code, one block after the other, a line break between them. */
  readonly text: string;
  /** Words of `text`: what stands between white space and has a letter or a digit. */
  readonly wordCount: number;
  readonly codeFences: readonly CodeFence[];
  /** The links again, for `relink`. */
  readonly spans: readonly LinkSpan[];
}

/** CommonMark with tables and strikethrough; raw HTML is text. Any input is markdown: it never throws. */
export function parseMarkdown(source: string): ParsedMarkdown {
  const parsed = parse(source);
  const { headings, sections, text, codeFences } = outline(parsed.tokens);
  const place = createPlaces(parsed.source);
  return {
    headings,
    sections,
    text,
    codeFences,
    wordCount: countWords(text),
    spans: spansOf(source, parsed),
    links: parsed.destinations.map(({ start, href, image }) => ({ href, ...place(start), image })),
  };
}

/** Safe HTML: headings with the ids that `parseMarkdown` gives, tables in a `<div class="table">` that can scroll. */
export const renderHtml = (source: string, options: HtmlOptions = {}): string => toHtml(parse(source), options);

/** The destination of a link as the source has it: from `start` up to `end`, with the brackets of an autolink. */
export interface LinkSpan {
  readonly start: number;
  readonly end: number;
  readonly href: string;
  readonly kind: Destination['kind'];
}

/** Replaces the destinations of links and images where `map` gives another; every other byte stays. Code has no links. */
export const rewriteLinks = (source: string, map: (href: string) => string): string =>
  relink(source, spansOf(source, parse(source)), map);

/** The same for a source whose spans are known: it is not parsed again. */
export function relink(source: string, spans: readonly LinkSpan[], map: (href: string) => string): string {
  let rewritten = '';
  let done = 0;
  for (const span of spans) {
    const href = map(span.href);
    if (href === span.href) continue;
    rewritten += source.slice(done, span.start) + written(span, source.slice(span.start, span.end), href);
    done = span.end;
  }
  return rewritten + source.slice(done);
}

function spansOf(source: string, parsed: Parsed): LinkSpan[] {
  const offset = createOffsets(source, parsed.source);
  return parsed.destinations.map(({ start, end, href, kind }) => {
    const bracket = kind === 'autolink' ? 1 : 0;
    return { start: offset(start) - bracket, end: offset(end) + bracket, href, kind };
  });
}

/** `href` in the form that `before`, the text it replaces, has. */
function written({ kind, href: old }: LinkSpan, before: string, href: string): string {
  if (kind === 'autolink') {
    if (/^[a-z][a-z0-9+.-]{1,31}:[^<>|\s\p{Cc}]*$/iu.test(href)) return `<${href}>`;
    return `[${old.replace(/[\\[\]*_`<>|&~!]/g, '\\$&')}](${bare(href)})`;
  }
  return before.startsWith('<') ? `<${encoded(href)}>` : bare(href);
}

const bare = (href: string): string => {
  const text = encoded(href);
  if (text === '') return '<>';
  return isBalanced(text) ? text : text.replace(/[()]/g, '\\$&');
};

/** Whether markdown reads all the parentheses of a bare destination as its own; it follows them 32 deep. */
function isBalanced(text: string): boolean {
  let depth = 0;
  for (const [parenthesis] of text.matchAll(/[()]/g)) {
    depth += parenthesis === '(' ? 1 : -1;
    if (depth < 0 || depth > 32) return false;
  }
  return depth === 0;
}

/** What would end a destination, or be read as an escape, an entity, code or a cell's border, is encoded. */
const encoded = (href: string): string =>
  href.replace(/[\s\p{Cc}<>\\`|]/gu, (found) => encodeURIComponent(found)).replace(/&(?=#?[a-z0-9]+;)/gi, '&amp;');

function countWords(text: string): number {
  let count = 0;
  wordWithin.lastIndex = 0;
  while (wordWithin.test(text)) count += 1;
  return count;
}

const wordWithin = /[\p{L}\p{N}]\S*/gu;

/** Line and column of an offset, both from 1; offsets must not go down from call to call. */
function createPlaces(source: string): (offset: number) => { line: number; column: number } {
  let line = 1;
  let start = 0;
  return (offset) => {
    for (let end = source.indexOf('\n', start); end !== -1 && end < offset; end = source.indexOf('\n', start)) {
      line += 1;
      start = end + 1;
    }
    return { line, column: offset - start + 1 };
  };
}

/** From an offset in the text with `\n` alone to the same place in the original; offsets must not go down. */
function createOffsets(original: string, normalised: string): (offset: number) => number {
  if (original.length === normalised.length) return (offset) => offset;
  let from = 0;
  let shift = 0;
  return (offset) => {
    while (from < offset) {
      if (original[from + shift] === '\r' && original[from + shift + 1] === '\n') shift += 1;
      from += 1;
    }
    return offset + shift;
  };
}
