/** Renders the header of every page: the product, the site's own links, search, the theme and, on a phone, the menu button. */
import { html } from 'hono/html';
import { listSiteLinks } from '../navigation.ts';
import type { Site } from '../site.ts';
import { type Markup, renderAttributes } from './attributes.ts';
import { menuIcon, searchIcon, themeIcon } from './icons.ts';
import { NavItems, resolveHref } from './nav-link.ts';

/**
 * Renders the logo as a square of `size` CSS pixels with the class `name`, one image for each theme if the product has two logos;
 * '' without a logo.
 */
export function Logo({ look: { logo, darkLogo } }: Site, size: number, name = ''): Markup | '' {
  const one = (href: string, theme: string) => {
    const classes = [name, theme].filter((part) => part !== '').join(' ');
    return html`<img${renderAttributes({ class: classes === '' ? null : classes })} src="${href}" alt="" width="${size}" height="${size}">`;
  };
  if (logo === null) return '';
  return darkLogo === null
    ? one(logo.href, '')
    : html`${one(logo.href, 'only-light')}${one(darkLogo.href, 'only-dark')}`;
}

/** Renders the header of the page at `path`; only pages of the product have the search field, because search does not find fixtures. */
export function Header(site: Site, path: string): Markup {
  return html`<header class="header"><div class="bar">
<a class="brand" href="${resolveHref(site, '/')}">${Logo(site, 28)}${site.product.name}</a>
<nav class="links quiet" aria-label="${site.words.site}"><ul class="plain">${NavItems(site, listSiteLinks(site), path)}</ul></nav>
${site.root === '' && SearchField(site)}
<button class="tool theme" type="button" aria-label="${site.words.dark_theme}" aria-pressed="false">${themeIcon}</button>
<button class="tool menu-button" type="button" popovertarget="menu" aria-label="${site.words.menu}">${menuIcon}</button>
</div></header>`;
}

/** Renders the search field of the header, and for narrow windows a link to the search page. */
function SearchField(site: Site): Markup {
  return html`<form class="find" action="/search" role="search"><input type="search" name="q" aria-label="${site.words.search}" placeholder="${site.words.search_hint}" required maxlength="200" autocomplete="off" spellcheck="false"><button class="hidden" type="submit">${site.words.search}</button></form>
<a class="tool find-link" href="/search" aria-label="${site.words.search}">${searchIcon}</a>`;
}
