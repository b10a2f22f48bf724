/** The interface of this folder to all others: parses Markdown for pages, renders it, and rewrites its links. */
import { createLineMap, type Position } from '../base/line-map.ts';
import type { HtmlOptions } from './html-options.ts';
import { readTag } from './html-reader.ts';
import { extractOutline, type Outline, type PlacedHeading } from './outline.ts';
import { type Dialect, type Parsed, parse } from './parser.ts';
import { findPlaceholders, type Placeholder } from './placeholders.ts';
import { type LinkSpan, relink } from './relink.ts';
import { toHtml } from './render.ts';
import { readAnchor } from './sanitizer.ts';

export type { ProseWords } from './html-options.ts';
export type { Dialect } from './parser.ts';
export { type LinkSpan, relink } from './relink.ts';

/** A heading of a page: its level, plain text and anchor, and whether it is the label of a tab. */
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

/** A parsed text: its outline, its links, its anchors and its facts. */
export interface ParsedMarkdown extends Outline {
  readonly links: readonly Link[];
  /** The links as spans, for `relink`. */
  readonly spans: readonly LinkSpan[];
  /** The anchors of headings and of `<a id>`. */
  readonly anchors: ReadonlySet<string>;
  /**
   * The Markdown that is published of a page: without comments, and without elements such as scripts, which contain nothing for
   * readers. A line that contained nothing else is removed; everything else stays, with `\n` at the end of lines.
   */
  readonly published: string;
  /** The facts that are filled in, such as `{latest.version}`, with their positions. */
  readonly placeholders: readonly (Placeholder & Position)[];
}

/** Parses a text once for everything that a page is made from. Any input is Markdown: it never throws. */
export function parseMarkdown(text: string, dialect: Dialect = 'notes'): ParsedMarkdown {
  const page = parse(text, dialect);
  const outline = extractOutline(page.tokens);
  const positionAt = createLineMap(page.source);
  const htmlAnchors = page.marks.flatMap(({ kind, text: tag }) =>
    kind === 'tag' ? (readAnchor(readTag(tag, 0)) ?? []) : [],
  );
  return {
    ...outline,
    anchors: new Set([...outline.headings.map(({ anchor }) => anchor), ...htmlAnchors]),
    spans: toSpans(page),
    published: removeDropped(page),
    placeholders: findPlaceholders(page, outline.headings),
    links: page.destinations.map(({ start, href, image }) => ({ href, ...positionAt(start), image })),
  };
}

/** Returns the plain text of notes with their headings, one block a line, with the marks of `base/plain-text.ts` and without code. */
export const toPlainText = (source: string): string =>
  parseMarkdown(source)
    .sections.flatMap(({ heading, text }) => [heading ?? '', text])
    .filter((part) => part !== '')
    .join('\n');

/**
 * Renders Markdown, in the dialect `notes` if none is given, as safe HTML: headings with the ids that `parseMarkdown` gives, tables
 * in a `<div class="table">` that can scroll.
 */
export const renderHtml = (source: string, { dialect, ...options }: HtmlOptions & { dialect?: Dialect } = {}): string =>
  toHtml(parse(source, dialect), options);

/** Renders one paragraph of our own words as safe HTML without the paragraph's tags. */
export function renderInlineHtml(source: string): string {
  const paragraph = parse(source);
  for (const token of paragraph.tokens) token.hidden ||= token.type.startsWith('paragraph_');
  return toHtml(paragraph, {}).trim();
}

/**
 * Replaces the destinations of links and images for which `map` returns another; everything else stays, with `\n` at the end of
 * lines. `map` gets a destination with its escapes and entities resolved. Code has no links.
 */
export function rewriteLinks(text: string, map: (href: string) => string, dialect: Dialect = 'notes'): string {
  const page = parse(text, dialect);
  return relink(page.source, toSpans(page), map);
}

const toSpans = ({ destinations }: Parsed): LinkSpan[] => destinations.map(({ image: _, ...span }) => span);

/**
 * Returns a page without its dropped marks, and without the lines that had nothing else; of the blank lines around such a line one
 * goes with it.
 */
function removeDropped({ source, marks }: Parsed): string {
  let text = '';
  let copiedEnd = 0;
  for (const { kind, start, end } of marks) {
    if (kind !== 'dropped') continue;
    let [from, to] = [start, end];
    const lineStart = Math.max(copiedEnd, source.lastIndexOf('\n', from - 1) + 1);
    const [rest = ''] = /^[ \t]*(?:\n|$)/.exec(source.slice(to, to + 200)) ?? [];
    if (source.slice(lineStart, from).trim() === '' && rest !== '') {
      from = lineStart;
      to += rest.length;
      const isAfterBlank = /\n[ \t]*\n$/.test(source.slice(Math.max(0, from - 8), from));
      if (isAfterBlank) to += /^(?:[ \t]*\n)?/.exec(source.slice(to, to + 200))?.[0].length ?? 0;
    }
    text += source.slice(copiedEnd, from);
    copiedEnd = Math.max(copiedEnd, to);
  }
  return text + source.slice(copiedEnd);
}
