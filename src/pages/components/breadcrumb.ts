/** Renders the links to the pages above the current one. */
import { html } from 'hono/html';
import { typeset } from '../language.ts';
import type { PageParts } from '../page.ts';
import type { Site } from '../site.ts';
import type { Markup } from './attributes.ts';
import { resolveHref } from './nav-link.ts';

/** Renders links to the pages above a page without the page itself, whose heading follows; null if the breadcrumb has no others. */
export function Breadcrumb(site: Site, { breadcrumb = [] }: PageParts): Markup | null {
  const above = breadcrumb.slice(0, -1);
  if (above.length === 0) return null;
  return html`<nav class="breadcrumb quiet" aria-label="${site.words.breadcrumb}"><ol class="plain">${above.map(
    ({ title, href }) => html`<li><a href="${resolveHref(site, href)}">${typeset(site, title)}</a></li>`,
  )}</ol></nav>`;
}
