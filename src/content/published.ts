/** Parses a Markdown text of a content folder for what is published of it. */

import { type LinkSpan, type ParsedMarkdown, parseMarkdown } from '../markdown/markdown.ts';
import type { Placeholder } from '../markdown/placeholders.ts';

/** A parsed text, and what is published of it: its Markdown without comments, with the positions of links and facts. */
export interface PublishedMarkdown {
  readonly parsed: ParsedMarkdown;
  /** The text without comments and other things that are not for readers. */
  readonly markdown: string;
  /** The links in `markdown`. */
  readonly links: readonly LinkSpan[];
  /** The facts such as `{latest.version}` in the text, or null if there are none. */
  readonly placeholders: Placeholders | null;
}

/**
 * The facts such as `{latest.version}` to fill in: `source` has those in the text as it was written, `markdown` those in what is
 * published of it, each with its offsets there.
 */
export interface Placeholders {
  readonly source: readonly Placeholder[];
  readonly markdown: readonly Placeholder[];
}

/** Parses a text of a content folder, and returns with it what is published of it. */
export function publishMarkdown(source: string): PublishedMarkdown {
  const page = parseMarkdown(source, 'page');
  const { published: markdown } = page;
  const { spans: links, placeholders: published } = markdown === source ? page : parseMarkdown(markdown, 'page');
  const placeholders = page.placeholders.length === 0 ? null : { source: page.placeholders, markdown: published };
  return { parsed: page, markdown, links, placeholders };
}
