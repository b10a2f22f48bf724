/** Renders the menu next to the content; on a phone, the menu button opens it together with the site's links. */
import { html } from 'hono/html';
import { createDevelopersNavigation } from '../developers/contents.ts';
import { contains, createDocsNavigation, listSiteLinks, type MenuEntry } from '../navigation.ts';
import type { PageParts } from '../page.ts';
import type { Site } from '../site.ts';
import { type Markup, renderAttributes } from './attributes.ts';
import { closeIcon } from './icons.ts';
import { NavItems, NavLink } from './nav-link.ts';

/** Renders the site's links, which only phones show, and the menu of the page's section if it has one. */
export function Sidebar(site: Site, { path, section }: PageParts): Markup {
  return html`<div class="menu quiet" id="menu" popover>
<button class="tool close" type="button" popovertarget="menu" popovertargetaction="hide" aria-label="${site.words.close}">${closeIcon}</button>
<nav class="menu-site" aria-label="${site.words.site_menu}"><ul class="plain">${NavItems(site, listSiteLinks(site), path)}</ul></nav>
${section && html`<nav class="menu-section" aria-label="${section === 'docs' ? site.words.documentation : site.words.developers}">${SectionMenu(site, section, path)}</nav>`}
</div>`;
}

function SectionMenu(site: Site, section: 'docs' | 'developers', path: string) {
  const groups = section === 'docs' ? createDocsNavigation(site, path) : createDevelopersNavigation(site);
  return groups.map(({ title, href, links }) => {
    const heading = title && (href === undefined ? html`<span>${title}</span>` : NavLink(site, { title, href }, path));
    return html`${heading && html`<p>${heading}</p>`}${MenuList(site, links, path)}`;
  });
}

/** Renders a list of the menu. A group within a group is folded unless the page is in it. */
const MenuList = (site: Site, entries: readonly MenuEntry[], path: string): Markup =>
  html`<ul class="plain">${entries.map(({ title, href, within = [], entries: inner }) => {
    if (inner !== undefined) {
      const list = href === undefined ? inner : [{ title, href }, ...inner];
      return html`<li><details${renderAttributes({ open: contains(list, path) })}><summary><span>${title}</span></summary>${MenuList(site, list, path)}</details></li>`;
    }
    const parts = href === path && within.length > 0 && html`<ul class="plain">${NavItems(site, within, path)}</ul>`;
    return html`<li>${NavLink(site, { title, href: href ?? '' }, path)}${parts}</li>`;
  })}</ul>`;
