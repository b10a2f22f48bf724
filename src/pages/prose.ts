/** The texts of the content as they stand on a page, and as markdown. */
import { posix } from 'node:path';
import type { Page } from '../content/content.ts';
import { absoluteLink } from '../markdown/links.ts';
import { type Dialect, rewriteLinks } from '../markdown/markdown.ts';
import { findQuotes } from '../markdown/quotes.ts';
import { renderHeadingLink } from '../markdown/render.ts';
import { type ImageSize, imageSize } from './image-size.ts';
import { languageOf, wordsOf } from './language.ts';
import type { ProseTask } from './rendering.ts';
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
  /** False if headings have no ids and links, because several such texts on a page would repeat them. */
  readonly hasAnchors?: boolean;
  /** Whether the heading that the text begins with is left out, because the layout shows it. */
  readonly withoutTitle?: boolean;
}

/** Renders a text as safe HTML. */
export function proseHtml(site: Site, markdown: string, options: ProseOptions = {}): Promise<string> {
  const {
    from = null,
    topLevel = null,
    dialect = 'notes',
    name = '',
    hasAnchors = true,
    withoutTitle = false,
  } = options;
  const { baseUrl, root } = site;
  return site.renderer.prose({
    kind: 'prose',
    markdown,
    dialect,
    name,
    from,
    topLevel,
    hasAnchors,
    withoutTitle,
    quotes: findQuotes(languageOf(site)),
    baseUrl,
    root,
    images: imageSizes(site, markdown),
    words: proseWordsOf(site),
  });
}

/** Returns how the text of a documentation page is rendered. */
export const pageProse = ({ file, titleAnchor }: Page): ProseOptions => ({
  from: file,
  dialect: 'page',
  withoutTitle: titleAnchor !== null,
});

/** Release notes with absolute links, for a markdown version or a feed. */
export const notesMarkdown = (site: Site, markdown: string): string =>
  maybeRelative.test(markdown) ? rewriteLinks(markdown, absoluteLink(site.shown.siteRoot, null)) : markdown;

/** An inline link or a definition that does not lead to the web as it is written; without one there is nothing to rewrite. */
const maybeRelative = /\](?:\(|:)(?![ \t]?(?:https?:\/\/|mailto:))/i;

/** Renders the link to a heading itself, shown next to it. */
export const anchorTo = (site: Site, id: string, text: string): string =>
  renderHeadingLink(
    wordsOf(site).link_to.replace('{heading}', () => text),
    id,
  );

function proseWordsOf(site: Site): ProseTask['words'] {
  const { table, link_to, note, tip, important, warning, caution, done, to_do, footnotes, back_to_text } =
    wordsOf(site);
  return { table, link_to, note, tip, important, warning, caution, done, to_do, footnotes, back_to_text };
}

/** Returns the sizes of the images whose file names occur in a text, by path. */
function imageSizes(site: Site, markdown: string): Record<string, ImageSize> {
  const assets = [...site.catalog.content.assets.values()].filter(({ path }) => {
    const name = posix.basename(path);
    return markdown.includes(name) || markdown.includes(encodeURI(name));
  });
  return Object.fromEntries(
    assets.flatMap((asset) => {
      const size = imageSize(asset);
      if (size === null) return [];
      return [[asset.path, { width: Math.round(size.width), height: Math.round(size.height) }]];
    }),
  );
}
