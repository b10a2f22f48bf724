/** Markdown as it stands on a page: highlighted code, tables and code that scroll by keyboard, headings with an anchor. */
import { html } from 'hono/html';
import { parseMarkdown, renderHtml, rewriteLinks } from '../markdown/markdown.ts';
import { absoluteLink } from '../operations/docs.ts';
import { imageSize } from './image-size.ts';
import { wordsOf } from './language.ts';
import type { Site } from './site.ts';

export interface ProseOptions {
  /** The file in docs/ that the text is from, whose relative links it has; null for every other text. */
  readonly from?: string | null;
  /** The level that the text's highest headings get; left out, they keep theirs. */
  readonly topLevel?: number;
}

/** Safe HTML. Links to this site lose its origin, so that they hold wherever the page is read from. */
export async function proseHtml(site: Site, markdown: string, options: ProseOptions = {}): Promise<string> {
  const { from = null, topLevel } = options;
  const { codeFences, headings } = parseMarkdown(markdown);
  const languages = codeFences.flatMap(({ language }) => language ?? []);
  const highest = Math.min(6, ...headings.map(({ level }) => level));
  await site.highlighter.load(languages);
  const toSite = absoluteLink('', from);
  const rendered = renderHtml(markdown, {
    link: (href) => {
      const target = toSite(href);
      return target.startsWith(`${site.baseUrl}/`) ? target.slice(site.baseUrl.length) : target;
    },
    headingOffset: topLevel === undefined ? 0 : topLevel - highest,
    highlight: site.highlighter.highlight,
  });
  return rendered
    .replace(/<(h[1-6]) id="([^"]*)">(.*?)<\/\1>/gs, (_, tag: string, id: string, text: string) => {
      return `<${tag} id="${id}">${text}${anchorTo(site, id, text)}</${tag}>`;
    })
    .replaceAll('<pre>', '<div class="code"><pre tabindex="0">')
    .replaceAll('</pre>', '</pre></div>')
    .replaceAll(
      '<div class="table">',
      `<div class="table" tabindex="0" role="group" aria-label="${html`${wordsOf(site).table}`}">`,
    )
    .replace(/<img src="\/(assets\/[^"]+)"/g, (tag, path: string) => `${tag}${sizeOf(site, path)}`);
}

/** The text's links made absolute, for a markdown version or a feed. */
export const proseMarkdown = (site: Site, markdown: string, from: string | null = null): string =>
  rewriteLinks(markdown, absoluteLink(site.baseUrl, from));

/** The link to a heading itself, beside it. `text` is HTML. */
export function anchorTo(site: Site, id: string, text: string): string {
  const [before = '', after = ''] = wordsOf(site).link_to.split('{heading}');
  return `<a class="anchor" href="#${id}" aria-label="${html`${before}`}${text.replace(/<[^>]*>/g, '')}${html`${after}`}"></a>`;
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
