/** Renders links of the navigation. */
import { html } from 'hono/html';
import type { Destination } from '../navigation.ts';
import type { Site } from '../site.ts';
import { type Markup, renderAttributes } from './attributes.ts';

/** Returns the address of a link as it is, or below the root of the site (`/sandbox` for fixtures) if it is a path. */
export const resolveHref = ({ root }: Site, href: string): string => (href.startsWith('/') ? root + href : href);

/**
 * Renders a link, with `aria-current` if it is that of the current page (`page`) or of a section that contains it (`true`).
 * `currentPath` is without the site's root.
 */
export function NavLink(site: Site, { title, href }: Destination, currentPath: string): Markup {
  const isSection = href !== '/' && currentPath.startsWith(`${href}/`);
  const current = href === currentPath ? 'page' : isSection && 'true';
  return html`<a href="${resolveHref(site, href)}"${renderAttributes({ 'aria-current': current })}>${title}</a>`;
}

/** Renders an `li` element for each link, which is marked as `NavLink` marks it. */
export const NavItems = (site: Site, links: readonly Destination[], currentPath: string): Markup[] =>
  links.map((link) => html`<li>${NavLink(site, link, currentPath)}</li>`);
