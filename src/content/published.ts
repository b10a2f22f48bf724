/** Parses a Markdown text of a content folder for what is published of it. */
import { type LinkSpan, type ParsedMarkdown, parseMarkdown } from '../markdown/markdown.ts';

/** A parsed text, with what is published of it. */
export interface PublishedMarkdown {
  readonly parsed: ParsedMarkdown;
  /** The text without comments and other things that are not for readers. */
  readonly markdown: string;
  /** The links in `markdown`. */
  readonly links: readonly LinkSpan[];
}

/** Parses a text. One without anything to leave out is parsed once. */
export function publishMarkdown(source: string): PublishedMarkdown {
  const parsed = parseMarkdown(source, 'page');
  const { published: markdown, spans } = parsed;
  return { parsed, markdown, links: markdown === source ? spans : parseMarkdown(markdown, 'page').spans };
}
