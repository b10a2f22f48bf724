/** Renders Markdown and code for a page: highlighted, with tables and code that scroll by keyboard and an anchor at each heading. */
import type { Token } from 'markdown-it';
import { decodeUri } from '../base/uri.ts';
import { createAbsoluteLink } from '../markdown/links.ts';
import { type Dialect, type ProseWords, renderHtml } from '../markdown/markdown.ts';
import { getCodeLanguage } from '../markdown/outline.ts';
import { parse } from '../markdown/parser.ts';
import { toHtml } from '../markdown/render.ts';
import { createHighlighter, type Highlighter } from './highlighter.ts';
import type { ImageSize } from './image-size.ts';

/** A text and everything that its HTML depends on, as plain data, because it is sent to another process. */
export interface ProseTask {
  readonly kind: 'prose';
  readonly markdown: string;
  readonly dialect: Dialect;
  /** Distinguishes the text from others on the same page; empty for the only one. */
  readonly name: string;
  /** The file in docs/ that the text is from, whose relative links it has; null for every other text. */
  readonly from: string | null;
  /** The level that the text's highest headings get; null if they keep theirs. */
  readonly topLevel: number | null;
  /** Whether headings have ids and a link to themselves. */
  readonly hasAnchors: boolean;
  /** Whether the heading that the text begins with is left out, because the layout shows it. */
  readonly withoutTitle: boolean;
  /** The quotation marks of the language; null if they stay as they are written. */
  readonly quotes: string | null;
  /** The origin of the site; links to it are written as paths, so that they work wherever the page is served. */
  readonly baseUrl: string;
  /** The beginning of the paths of the site's pages: empty, or `/sandbox` for fixtures. */
  readonly root: string;
  /** Sizes of the images that the text may show, by path, such as `assets/window.png`. */
  readonly images: Readonly<Record<string, ImageSize>>;
  /** The site's words for a table, for a link to a `{heading}`, and for callouts, tasks and footnotes. */
  readonly words: ProseWords & { readonly table: string; readonly link_to: string };
}

/** A block of code and the name of its language; a block of an unknown language, or of '', stays plain. */
export interface CodeBlock {
  readonly code: string;
  readonly language: string;
}

/** Blocks to highlight. */
export interface CodeTask {
  readonly kind: 'code';
  readonly blocks: readonly CodeBlock[];
}

/** Markdown texts to render as plain HTML, for readers of feeds. */
export interface HtmlTask {
  readonly kind: 'html';
  readonly texts: readonly string[];
}

/** A task of the rendering worker. */
export type RenderingTask = ProseTask | CodeTask | HtmlTask;

/**
 * Returns the function that runs `pagesTask`: it returns HTML for prose, otherwise an array with the HTML of each text or block,
 * null for a block that stays plain. The first block of some languages takes a second or more; their grammars are kept.
 */
export function createPageRendering(): (task: RenderingTask) => Promise<unknown> {
  const highlighter = createHighlighter();
  return async (task) => {
    if (task.kind === 'html') return task.texts.map((text) => renderHtml(text));
    if (task.kind === 'prose') return renderProse(task, highlighter);
    await highlighter.load(task.blocks.map(({ language }) => language));
    return task.blocks.map(({ code, language }) => highlighter.highlight(code, language));
  };
}

/** Renders a text as safe HTML for a page of the site. It takes time in proportion to the text. */
async function renderProse(task: ProseTask, highlighter: Highlighter): Promise<string> {
  const { markdown, dialect, name, topLevel, quotes, words } = task;
  const page = parse(markdown, dialect);
  await highlighter.load(listLanguages(page.tokens));
  return toHtml(page, {
    name,
    words,
    ...(quotes !== null && { quotes }),
    link: createLinkMap(task),
    headingOffset: topLevel === null ? 0 : topLevel - findHighestLevel(page.tokens),
    highlight: highlighter.highlight,
    withoutTitle: task.withoutTitle,
    site: {
      headingLink: task.hasAnchors ? words.link_to : null,
      tableLabel: words.table,
      imageSize: (address) => task.images[decodeUri(address.slice(1).replace(/[?#].*$/s, ''))] ?? null,
    },
  });
}

/** Returns a function that maps a link as it is written to a path if it leads to the site, otherwise to itself. */
function createLinkMap({ root, from, baseUrl }: ProseTask): (href: string) => string {
  const toSite = createAbsoluteLink(root, from);
  return (href) => {
    const target = toSite(href);
    return target.startsWith(`${baseUrl}/`) ? target.slice(baseUrl.length) : target;
  };
}

/** Returns the languages of a text’s fenced blocks of code, as often as they occur; blocks without a language are left out. */
const listLanguages = (tokens: readonly Token[]): string[] =>
  tokens.flatMap((token) => (token.type === 'fence' ? (getCodeLanguage(token) ?? []) : []));

/** Returns the level of the highest heading, or 6 if there is none. */
const findHighestLevel = (tokens: readonly Token[]): number =>
  tokens.reduce((level, { type, tag }) => (type === 'heading_open' ? Math.min(level, Number(tag.slice(1))) : level), 6);
