/** The texts of the content as they stand on a page, and as markdown. */
import { type Dialect, renderHtml, rewriteLinks } from '../markdown/markdown.ts';
import { quotesOf } from '../markdown/quotes.ts';
import { absoluteLink } from '../operations/docs.ts';
import { imageSize } from './image-size.ts';
import { languageOf, wordsOf } from './language.ts';
import { headingLink, type ProseTask } from './rendering.ts';
import type { Site } from './site.ts';

export interface ProseOptions {
  /** `page` for what the content folder has; left out, no HTML is read. */
  readonly dialect?: Dialect;
  /** Tells this text from others on the same page. */
  readonly name?: string;
  /** The file in docs/ that the text is from, whose relative links it has; null for every other text. */
  readonly from?: string | null;
  /** The level that the text's highest headings get; left out, they keep theirs. */
  readonly topLevel?: number;
}

/** Safe HTML, as `createRendering` makes it. */
export async function proseHtml(site: Site, markdown: string, options: ProseOptions = {}): Promise<string> {
  const { from = null, topLevel = null, dialect = 'notes', name = '' } = options;
  const { baseUrl, root } = site;
  const rendered = await site.renderer.prose({
    kind: 'prose',
    markdown,
    dialect,
    name,
    from,
    topLevel,
    quotes: quotesOf(languageOf(site)),
    baseUrl,
    root,
    words: proseWordsOf(site),
  });
  return rendered.replace(/<img src="\/(assets\/[^"#?]+)[^>]*>/g, (tag, path: string) =>
    / (?:width|height)=/.test(tag) ? tag : `${tag.slice(0, -1)}${sizeOf(site, path)}>`,
  );
}

/**
 * Renders what people are likely to ask for before they do, one text after the other: the notes of the newest releases, then
 * pages in reading order, until `most` characters are rendered or `isCurrent` says that there is a newer revision.
 */
export async function renderAhead(site: Site, most: number, isCurrent: () => boolean): Promise<void> {
  const { content, releases } = site.catalog;
  const notes = (releases ?? []).slice(0, 20).map(({ notes: markdown }) => ({ markdown, options: { topLevel: 3 } }));
  const pages = content.pages.map(({ source: markdown, file }) => ({
    markdown,
    options: { from: file, dialect: 'page' as const },
  }));
  let done = 0;
  for (const { markdown, options } of [...notes, ...pages]) {
    done += markdown.length;
    if (done > most || !isCurrent()) return;
    await proseHtml(site, markdown, options);
  }
}

/** Release notes with absolute links, for a markdown version or a feed. */
export const notesMarkdown = (site: Site, markdown: string): string =>
  maybeRelative.test(markdown) ? rewriteLinks(markdown, absoluteLink(site.shown.siteRoot, null)) : markdown;

/** An inline link or a definition that does not lead to the web as it is written; without one there is nothing to rewrite. */
const maybeRelative = /\](?:\(|:)(?![ \t]?(?:https?:\/\/|mailto:))/i;

/** The link to a heading itself, shown next to it. `text` is HTML. */
export const anchorTo = (site: Site, id: string, text: string): string => headingLink(wordsOf(site).link_to, id, text);

/** A text whose headings are not for links: several such texts on a page would repeat the anchors. */
export const withoutAnchors = (rendered: string): string =>
  rendered.replace(/(<h[1-6]) id="[^"]*"/g, '$1').replace(/<a class="anchor"[^>]*><\/a>/g, '');

function proseWordsOf(site: Site): ProseTask['words'] {
  const { table, link_to, note, tip, important, warning, caution, done, to_do, footnotes, back_to_text } =
    wordsOf(site);
  return { table, link_to, note, tip, important, warning, caution, done, to_do, footnotes, back_to_text };
}

function sizeOf(site: Site, path: string): string {
  const asset = site.catalog.content.assets.get(decodeURIComponent(path));
  const size = asset === undefined ? null : imageSize(asset);
  return size === null ? '' : ` width="${Math.round(size.width)}" height="${Math.round(size.height)}"`;
}

/** A sentence of ours with `code` in it, as HTML without a paragraph. */
export const inlineHtml = (markdown: string): string =>
  renderHtml(markdown)
    .trim()
    .replace(/^<p>|<\/p>$/g, '');
