/** Reads markdown once: headings with anchors, sections of plain text, links with positions. */
import { readTag } from './html-reader.ts';
import { type CodeFence, outline, type PlacedHeading, type Section } from './outline.ts';
import { type Destination, type Dialect, type Parsed, parse } from './parser.ts';
import { type HtmlOptions, toHtml } from './render.ts';
import { anchorIn } from './sanitizer.ts';

export type { Section } from './outline.ts';
export type { Dialect } from './parser.ts';
export type { ProseWords } from './render.ts';

export interface Heading {
  readonly level: number;
  readonly text: string;
  readonly anchor: string;
  /** Whether it is the label of a tab. */
  readonly isTab: boolean;
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
  /** Of its headings, and of its `<a id>`. */
  readonly anchors: ReadonlySet<string>;
  /**
   * The markdown that others are given of a page: without comments, and without elements such as scripts, which hold nothing
   * for readers. Every other byte stays; a line that held nothing else goes.
   */
  readonly published: string;
}

/** CommonMark with what GitHub adds to it, and in a page the HTML of a list. Any input is markdown: it never throws. */
export function parseMarkdown(source: string, dialect: Dialect = 'notes'): ParsedMarkdown {
  const parsed = parse(source, dialect);
  const { headings, sections, text, codeFences } = outline(parsed.tokens);
  const place = createPlaces(parsed.source);
  const anchors = new Set(headings.map(({ anchor }) => anchor));
  for (const { kind, text: written } of parsed.marks) {
    const id = kind === 'tag' ? anchorIn(readTag(written, 0)?.tag) : null;
    if (id !== null) anchors.add(id);
  }
  return {
    headings,
    sections,
    text,
    codeFences,
    anchors,
    wordCount: countWords(text),
    spans: spansOf(source, parsed),
    published: dialect === 'page' ? withoutDropped(source, parsed) : source,
    links: parsed.destinations.map(({ start, href, image }) => ({ href, ...place(start), image })),
  };
}

/** Renders Markdown as safe HTML: headings with the ids that `parseMarkdown` gives, tables in a `<div class="table">` that can scroll. */
export const renderHtml = (source: string, { dialect, ...options }: HtmlOptions & { dialect?: Dialect } = {}): string =>
  toHtml(parse(source, dialect), options);

/** Renders one paragraph of our own words as safe HTML without the paragraph's tags. */
export function renderInlineHtml(source: string): string {
  const parsed = parse(source);
  for (const token of parsed.tokens) token.hidden ||= token.type.startsWith('paragraph_');
  return toHtml(parsed, {}).trim();
}

/** The destination of a link as the source has it: from `start` up to `end`, with the brackets of an autolink. */
export interface LinkSpan {
  readonly start: number;
  readonly end: number;
  readonly href: string;
  readonly kind: Destination['kind'];
}

/** Replaces the destinations of links and images where `map` gives another; every other byte stays. Code has no links. */
export const rewriteLinks = (source: string, map: (href: string) => string, dialect: Dialect = 'notes'): string =>
  relink(source, spansOf(source, parse(source, dialect)), map);

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
  if (kind === 'attribute') return href.replaceAll('&', '&amp;').replace(/["'<>`\s]/g, encodeURIComponent);
  if (kind === 'bare')
    return isAutolink(href) ? `<${href}>` : `[${old.replace(/[\\[\]*_`<>|&~!]/g, '\\$&')}](${bare(href)})`;
  if (kind === 'autolink') {
    if (isAutolink(href)) return `<${href}>`;
    return `[${old.replace(/[\\[\]*_`<>|&~!]/g, '\\$&')}](${bare(href)})`;
  }
  return before.startsWith('<') ? `<${encoded(href)}>` : bare(href);
}

const isAutolink = (href: string): boolean => /^[a-z][a-z0-9+.-]{1,31}:[^<>|\s\p{Cc}]*$/iu.test(href);

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

/** From an offset in the text with only `\n` to the same place in the original; offsets must not go down. */
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

function withoutDropped(source: string, parsed: Parsed): string {
  const cuts = parsed.marks.filter(({ kind }) => kind === 'dropped');
  if (cuts.length === 0) return source;
  const offset = createOffsets(source, parsed.source);
  let text = '';
  let done = 0;
  for (const { start, end } of cuts) {
    let from = offset(start);
    let to = offset(end);
    const lineStart = source.lastIndexOf('\n', from - 1) + 1;
    const [rest = ''] = /^[ \t\r]*(?:\n|$)/.exec(source.slice(to, to + 200)) ?? [];
    if (source.slice(Math.max(done, lineStart), from).trim() === '' && rest !== '') {
      from = Math.max(done, lineStart);
      to += rest.length;
      // Of two blank lines around a line that goes, one is enough.
      if (/\n[ \t]*\r?\n$/.test(source.slice(Math.max(0, from - 8), from)))
        to += /^(?:[ \t]*\r?\n)?/.exec(source.slice(to, to + 200))?.[0].length ?? 0;
    }
    text += source.slice(done, from);
    done = Math.max(done, to);
  }
  return text + source.slice(done);
}
