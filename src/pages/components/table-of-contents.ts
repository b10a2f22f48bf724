/** Renders "On this page": a separate column, or a disclosure below the title in windows without a third column. */
import { html } from 'hono/html';
import { typeset } from '../language.ts';
import type { Heading } from '../page.ts';
import type { Site } from '../site.ts';
import type { Markup } from './attributes.ts';

/** Returns the headings that "On this page" lists: those of levels 1 to 3, or none if there is only one of them. */
export function selectHeadings(headings: readonly Heading[]): readonly Heading[] {
  const topHeadings = headings.filter(({ level }) => level <= 3);
  return topHeadings.length > 1 ? topHeadings : [];
}

/** Renders "On this page" as a column; null if it would list fewer than two headings. */
export function TableOfContents(site: Site, headings: readonly Heading[]): Markup | null {
  const title = site.words.on_this_page;
  if (selectHeadings(headings).length === 0) return null;
  return html`<aside class="contents quiet"><nav aria-label="${title}"><p>${title}</p>${HeadingList(site, headings)}</nav></aside>`;
}

/** Renders "On this page" as a disclosure; false if it would list fewer than two headings. */
export const InlineTableOfContents = (site: Site, headings: readonly Heading[]): Markup | false =>
  selectHeadings(headings).length > 0 &&
  html`<details class="contents-inline quiet"><summary>${site.words.on_this_page}</summary>${HeadingList(site, headings)}</details>`;

const HeadingList = (site: Site, headings: readonly Heading[]) =>
  html`<ul class="plain">${selectHeadings(headings).map(
    ({ text, anchor, level }) => html`<li class="level-${level}"><a href="#${anchor}">${typeset(site, text)}</a></li>`,
  )}</ul>`;
