/** Parses Markdown into tokens: CommonMark with what GitHub adds to it, and in a page HTML, footnotes and components. */
import MarkdownIt, { type Env, type StateCore, type Token } from 'markdown-it';
import footnotes from 'markdown-it-footnote';
import { markLists, markTabs } from './components.ts';
import { addHeadingIds, addImageSizes, markAlerts, markTasks } from './dialect-rules.ts';
import { parseHtmlBlock, parseHtmlInline } from './html-reader.ts';
import { findPositions, type SourcePositions, traceParser } from './source-positions.ts';

/**
 * `page` is what a content folder's pages and answers are written in; `notes` is for what others wrote, such as the notes of a
 * feed: the same without HTML, footnotes, components, `{#id}` after headings and sizes of images.
 */
export type Dialect = 'page' | 'notes';

/** The tokens of a text and the positions of what they have from it. */
export interface Parsed extends SourcePositions {
  /** The source with `\n` for every line break and U+FFFD for every NUL; offsets and token lines are about this text. */
  readonly source: string;
  /** Links and images have their address as written, which `normalizeLink` encodes. */
  readonly tokens: readonly Token[];
}

/** Parses a text. It never throws, and takes time in proportion to the source. */
export function parse(text: string, dialect: Dialect = 'notes'): Parsed {
  const source = text.replace(/\r\n?/g, '\n').replaceAll('\0', '\ufffd');
  const env: Env = {};
  const tokens = (dialect === 'page' ? pageMarkdown : markdown).parse(source, env);
  return { source, tokens, ...findPositions(source, tokens, env) };
}

/**
 * Tells whether an address is safe to follow. An address is unsafe if it runs code, contains its own content, or reads the reader's
 * disk. A relative address and an unknown scheme are safe.
 */
export function isSafeLink(url: string): boolean {
  // Browsers ignore control characters and spaces in a scheme, so they are removed before the comparison.
  return !/^(javascript|vbscript|data|file|blob|filesystem|view-source):/i.test(url.replace(/[\0-\x20]+/g, ''));
}

/** Percent-encodes an address as markdown-it does. */
export const { normalizeLink } = new MarkdownIt();

/** Creates a parser with the rules that both dialects have; those of pages are added to it. */
function createParser(): InstanceType<typeof MarkdownIt> {
  const parser = new MarkdownIt({ linkify: true });
  traceParser(parser);
  parser.normalizeLink = (url) => url;
  parser.validateLink = (url) => isSafeLink(normalizeLink(url));
  // Only `http://` and `https://` turn a text into a link; the rule `linkify` of the core would also link names such as `example.com`.
  parser.core.ruler.disable('linkify');
  for (const scheme of ['ftp:', 'mailto:', '//']) parser.linkify.add(scheme, null);
  for (const rule of [markAlerts, markTasks]) parser.core.ruler.push(rule.name, rule);
  return parser;
}

/** The parser of notes, whose utilities and options are those of both dialects. */
export const markdown = createParser();

/** Reads the tags in a block of HTML, and no Markdown between them. */
const htmlParser = new MarkdownIt();
traceParser(htmlParser);
htmlParser.inline.ruler.at('html_inline', parseHtmlInline);
htmlParser.inline.ruler.enableOnly(['text', 'html_inline']);

/** Gives each block of HTML its tags and texts as children. */
function fillHtmlBlocks({ tokens, env }: StateCore): void {
  for (const { type, content, children } of tokens) {
    if (type === 'html_block' && children !== null) htmlParser.inline.parse(content, htmlParser, env, children);
  }
}

const pageMarkdown = createParser();
pageMarkdown.use(footnotes);
pageMarkdown.inline.ruler.disable('footnote_inline');
pageMarkdown.block.ruler.at('html_block', parseHtmlBlock, { alt: ['paragraph', 'reference', 'blockquote', 'list'] });
pageMarkdown.inline.ruler.at('html_inline', parseHtmlInline);
for (const rule of [fillHtmlBlocks, addHeadingIds, addImageSizes, markLists, markTabs])
  pageMarkdown.core.ruler.push(rule.name, rule);
