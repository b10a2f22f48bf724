/** Reads markdown once: headings with anchors, sections of plain text, links with positions. */
import { createLineMap } from '../base/line-map.ts';
import type { HtmlOptions } from './html-options.ts';
import { readTag } from './html-reader.ts';
import { type CodeFence, extractOutline, type PlacedHeading, type Section } from './outline.ts';
import { type Dialect, type Parsed, parse } from './parser.ts';
import { toHtml } from './render.ts';
import { anchorIn } from './sanitizer.ts';
import type { Destination } from './source-positions.ts';

export type { ProseWords } from './html-options.ts';
export type { Section } from './outline.ts';
export type { Dialect } from './parser.ts';

/** A heading of a page. */
export type Heading = Omit<PlacedHeading, 'line'>;

/** A link at the position of its destination. A reference definition counts once, however often it is used. */
export interface Link {
  /** The destination as written, with Markdown's escapes and entities resolved. */
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
  /** The plain text: headings, paragraphs, rows and code, one block a line. */
  readonly text: string;
  /** Number of words in `text` that have a letter or a digit. */
  readonly wordCount: number;
  readonly codeFences: readonly CodeFence[];
  /** The same links as spans, for `relink`. */
  readonly spans: readonly LinkSpan[];
  /** The anchors of headings and of `<a id>`. */
  readonly anchors: ReadonlySet<string>;
  /**
   * The Markdown that is published of a page: without comments, and without elements such as scripts, which contain nothing for
   * readers. A line that contained nothing else is removed; every other byte stays.
   */
  readonly published: string;
}

/** Parses a text once for everything that a page is made from. Any input is Markdown: it never throws. */
export function parseMarkdown(source: string, dialect: Dialect = 'notes'): ParsedMarkdown {
  const parsed = parse(source, dialect);
  const { headings, sections, text, codeFences } = extractOutline(parsed.tokens);
  const positionAt = createLineMap(parsed.source);
  const anchors = new Set(headings.map(({ anchor }) => anchor));
  for (const { kind, text: source } of parsed.marks) {
    const id = kind === 'tag' ? anchorIn(readTag(source, 0)?.tag) : null;
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
    links: parsed.destinations.map(({ start, href, image }) => ({ href, ...positionAt(start), image })),
  };
}

/** Returns the plain text of notes, headings included, one block a line. */
export const toPlainText = (source: string): string =>
  parseMarkdown(source)
    .sections.flatMap(({ heading, text }) => [heading ?? '', text])
    .filter((part) => part !== '')
    .join('\n');

/** Renders Markdown as safe HTML: headings with the ids that `parseMarkdown` gives, tables in a `<div class="table">` that can scroll. */
export const renderHtml = (source: string, { dialect, ...options }: HtmlOptions & { dialect?: Dialect } = {}): string =>
  toHtml(parse(source, dialect), options);

/** Renders one paragraph of our own words as safe HTML without the paragraph's tags. */
export function renderInlineHtml(source: string): string {
  const parsed = parse(source);
  for (const token of parsed.tokens) token.hidden ||= token.type.startsWith('paragraph_');
  return toHtml(parsed, {}).trim();
}

/** The destination of a link in the source, from `start` up to `end`, with the brackets of an autolink. */
export interface LinkSpan {
  readonly start: number;
  readonly end: number;
  readonly href: string;
  readonly kind: Destination['kind'];
}

/** Replaces the destinations of links and images for which `map` returns another; every other byte stays. Code has no links. */
export const rewriteLinks = (source: string, map: (href: string) => string, dialect: Dialect = 'notes'): string =>
  relink(source, spansOf(source, parse(source, dialect)), map);

/** Replaces destinations like `rewriteLinks` in a source that was parsed before. */
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

/** Returns `href` in the form of `before`, the text that it replaces. */
function written({ kind, href: old }: LinkSpan, before: string, href: string): string {
  if (kind === 'attribute') return href.replaceAll('&', '&amp;').replace(/["'<>`\s]/g, encodeURIComponent);
  if (kind === 'bare' || kind === 'autolink') {
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

/** Tells whether Markdown reads all parentheses of a bare destination as its own; it follows them 32 deep. */
function isBalanced(text: string): boolean {
  let depth = 0;
  for (const [parenthesis] of text.matchAll(/[()]/g)) {
    depth += parenthesis === '(' ? 1 : -1;
    if (depth < 0 || depth > 32) return false;
  }
  return depth === 0;
}

/** Encodes what would end a destination, or be read as an escape, an entity, code or a cell's border. */
const encoded = (href: string): string =>
  href.replace(/[\s\p{Cc}<>\\`|]/gu, (found) => encodeURIComponent(found)).replace(/&(?=#?[a-z0-9]+;)/gi, '&amp;');

function countWords(text: string): number {
  let count = 0;
  wordWithin.lastIndex = 0;
  while (wordWithin.test(text)) count += 1;
  return count;
}

const wordWithin = /[\p{L}\p{N}]\S*/gu;

/** Creates the map from an offset in the text with only `\n` to the same place in the original; offsets must not decrease from call to call. */
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
