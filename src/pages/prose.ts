/** Renders texts of the content for a page, and makes their links absolute for Markdown. */
import { posix } from 'node:path';
import type { Page } from '../content/content.ts';
import { createAbsoluteLink } from '../markdown/links.ts';
import { type Dialect, rewriteLinks } from '../markdown/markdown.ts';
import { findQuotes } from '../markdown/quotes.ts';
import { renderHeadingLink } from '../markdown/render.ts';
import { type ImageSize, readImageSize } from './image-size.ts';
import type { ProseTask } from './rendering.ts';
import type { Site } from './site.ts';

/** The options of `renderProse`. */
export interface ProseOptions {
  /** `page` for the content folder's own texts; `notes` when left out, which reads no HTML. */
  readonly dialect?: Dialect;
  /** Distinguishes the text from others on the same page; left out for the only one. */
  readonly name?: string;
  /** The file in docs/ that the text is from, whose relative links it has; null or left out for every other text. */
  readonly from?: string | null;
  /** The level that the text's highest headings get; left out, they keep theirs. */
  readonly topLevel?: number;
  /** False if headings have no ids and links, because several such texts on a page would repeat them; true when left out. */
  readonly hasAnchors?: boolean;
  /** Whether the heading that the text begins with is left out, because the layout shows it; false when left out. */
  readonly withoutTitle?: boolean;
}

/**
 * Renders Markdown of the content folder or of release notes as safe HTML with the site’s links. The promise never rejects: a text
 * that cannot be rendered is returned as it is written, escaped in `pre`.
 */
export function renderProse(site: Site, markdown: string, options: ProseOptions = {}): Promise<string> {
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
    quotes: findQuotes(site.language),
    baseUrl,
    root,
    images: listImageSizes(site, markdown),
    words: pickProseWords(site),
  });
}

/** Returns the options of `renderProse` for a documentation page, without the heading at its beginning if that repeats the title. */
export const createPageProse = ({ file, titleAnchor }: Page): ProseOptions => ({
  from: file,
  dialect: 'page',
  withoutTitle: titleAnchor !== null,
});

/** Returns release notes with absolute links, for the Markdown of a page or a feed. */
export const writeNotes = (site: Site, markdown: string): string =>
  maybeRelative.test(markdown) ? rewriteLinks(markdown, createAbsoluteLink(site.shown.siteRoot, null)) : markdown;

/** Matches an inline link or a definition whose address may be relative; without one there is nothing to rewrite. */
const maybeRelative = /\](?:\(|:)(?![ \t]?(?:https?:\/\/|mailto:))/i;

/** Renders the link to a heading itself, shown next to it, as HTML. `id` is that of the heading, and `text` its text. */
export const renderAnchor = (site: Site, id: string, text: string): string =>
  renderHeadingLink(
    site.words.link_to.replace('{heading}', () => text),
    id,
  );

/**
 * Returns only those of the site's words that the HTML of a text may contain: for tables, links to a heading, callouts, tasks and
 * footnotes. A task is cached by its whole content, so a change of any other word does not render the text again.
 */
function pickProseWords({ words }: Site): ProseTask['words'] {
  const { table, link_to, note, tip, important, warning, caution, done, to_do, footnotes, back_to_text } = words;
  return { table, link_to, note, tip, important, warning, caution, done, to_do, footnotes, back_to_text };
}

/**
 * Returns the sizes, in whole pixels, of the images whose file names occur in a text, by path, such as `assets/window.png`. An
 * image of unknown size is left out.
 */
function listImageSizes(site: Site, markdown: string): Record<string, ImageSize> {
  const assets = [...site.catalog.content.assets.values()].filter(({ path }) => {
    const name = posix.basename(path);
    return markdown.includes(name) || markdown.includes(encodeURI(name));
  });
  return Object.fromEntries(
    assets.flatMap((asset) => {
      const size = readImageSize(asset);
      if (size === null) return [];
      return [[asset.path, { width: Math.round(size.width), height: Math.round(size.height) }]];
    }),
  );
}
