/** The frame of every page: head, top, menu, content, foot; complete without JavaScript. */
import { html, raw } from 'hono/html';
import { head } from './head.ts';
import { type Destination, developersNavigation, docsNavigation, type Group, siteLinks } from './navigation.ts';
import type { PageDocument, PageParts } from './page.ts';
import { productOf, type Site } from './site.ts';
import { nameInWords } from './words.ts';

/** The page in both forms. */
export const document = (site: Site, parts: PageParts): PageDocument => ({
  path: parts.path,
  html: layout(site, parts),
  markdown: `${directive(site)}\n\n${parts.markdown.trim()}\n`,
});

/** The line that leads an agent who landed on one page to all of them. */
const directive = ({ baseUrl }: Site): string =>
  `> For the complete documentation index, see [llms.txt](${baseUrl}/llms.txt).`;

function layout(site: Site, parts: PageParts): string {
  const { path, section = null, contents = [], wide = false } = parts;
  const groups = section === 'docs' ? docsNavigation(site) : section === 'developers' ? developersNavigation(site) : [];
  const listed = contents.filter(({ level }) => level <= 3);
  const columns = [
    'page',
    section === null ? 'alone' : 'beside',
    listed.length > 1 ? 'listed' : '',
    wide ? 'wide' : '',
  ];
  return String(html`<!DOCTYPE html>
<html lang="en">
${head(site, parts)}
<body>
<a class="hidden" href="#main">Skip to the content</a>
${top(site, path)}
<div class="${columns.filter((name) => name !== '').join(' ')}">
${menu(site, path, section, groups)}
<main id="main">
<p class="hidden">For the complete documentation index, see <a href="/llms.txt">llms.txt</a>.</p>
${trail(parts.trail ?? [])}
${raw(parts.body)}
</main>
${listed.length > 1 ? onThisPage(listed) : ''}
</div>
${foot(site)}
</body>
</html>
`);
}

function top(site: Site, path: string) {
  const { name } = productOf(site);
  const { logo } = site.look;
  return html`<header class="top"><div class="bar">
<a class="brand" href="/">${logo === null ? '' : html`<img src="${logo.href}" alt="" width="28" height="28">`}${name}</a>
<nav class="links quiet" aria-label="Site"><ul class="plain">${siteLinks(site).map((link) => item(link, path))}</ul></nav>
<form class="find" action="/search" role="search"><input type="search" name="q" aria-label="Search" placeholder="Press / to search" required minlength="2" maxlength="200" autocomplete="off" spellcheck="false"><button class="hidden" type="submit">Search</button></form>
<a class="tool find-link" href="/search" aria-label="Search">${lens}</a>
<button class="tool theme" type="button" aria-label="Dark theme" aria-pressed="false" hidden>${halves}</button>
<button class="tool menu-button" type="button" popovertarget="menu" aria-label="Menu">${lines}</button>
</div></header>`;
}

/** A column beside the content; on a phone what the menu button opens, with the site's own links. */
function menu(site: Site, path: string, section: PageParts['section'], groups: readonly Group[]) {
  const label = section === 'docs' ? 'Documentation' : 'Developers';
  return html`<div class="menu quiet" id="menu" popover>
<button class="tool close" type="button" popovertarget="menu" popovertargetaction="hide">Close</button>
<nav class="menu-site" aria-label="Site menu"><ul class="plain">${siteLinks(site).map((link) => item(link, path))}</ul></nav>
${
  groups.length === 0
    ? ''
    : html`<nav class="menu-section" aria-label="${label}">${groups.map(
        ({ title, href, links }) =>
          html`${title === null ? '' : html`<p>${href === undefined ? html`<span>${title}</span>` : anchor({ title, href }, path)}</p>`}<ul class="plain">${links.map(
            ({ within = [], ...link }) =>
              within.length > 0 && link.href === path
                ? html`<li>${anchor(link, path)}<ul class="plain">${within.map((inner) => item(inner, path))}</ul></li>`
                : item(link, path),
          )}</ul>`,
      )}</nav>`
}
</div>`;
}

const item = (link: Destination, path: string) => html`<li>${anchor(link, path)}</li>`;

/** Marks the page itself, and the site's link that the page lies under. */
function anchor({ title, href }: Destination, path: string) {
  const here = href === path ? 'page' : href !== '/' && path.startsWith(`${href}/`) ? 'true' : null;
  return html`<a href="${href}"${here === null ? '' : raw(` aria-current="${here}"`)}>${title}</a>`;
}

function trail(destinations: readonly Destination[]) {
  const above = destinations.slice(1, -1);
  if (above.length === 0) return '';
  return html`<nav class="trail quiet" aria-label="Breadcrumb"><ol class="plain">${above.map(
    ({ title, href }) => html`<li><a href="${href}">${title}</a></li>`,
  )}</ol></nav>`;
}

function onThisPage(contents: NonNullable<PageParts['contents']>) {
  return html`<aside class="contents quiet"><nav aria-label="On this page"><p>On this page</p>${contentsList(contents)}</nav></aside>`;
}

/** The list of a page's headings; a page puts it below its title for windows without a third column. */
const contentsList = (contents: NonNullable<PageParts['contents']>) =>
  html`<ul class="plain">${contents
    .filter(({ level }) => level <= 3)
    .map(({ text, anchor: id, level }) => html`<li class="level-${level}"><a href="#${id}">${text}</a></li>`)}</ul>`;

/** "On this page" as a disclosure, for windows without a third column. */
export const contentsDisclosure = (contents: NonNullable<PageParts['contents']>) =>
  contents.filter(({ level }) => level <= 3).length < 2
    ? ''
    : html`<details class="contents-inline quiet"><summary>On this page</summary>${contentsList(contents)}</details>`;

function foot(site: Site) {
  const { vendor, links, name } = productOf(site);
  const column = (title: string, destinations: readonly Destination[]) =>
    html`<div><h2>${title}</h2><ul class="plain">${destinations.map((link) => html`<li><a href="${link.href}">${link.title}</a></li>`)}</ul></div>`;
  const { pages, faq } = site.catalog.content;
  const named = Object.entries(links).map(([key, href]) => ({ title: nameInWords(key), href }));
  return html`<footer class="foot quiet"><div class="bar">
${column(name, [
  ...(pages.length > 0 ? [{ title: 'Documentation', href: '/docs' }] : []),
  ...(faq.length > 0 ? [{ title: 'Questions', href: '/faq' }] : []),
  { title: 'Pricing', href: '/pricing' },
  { title: 'Releases', href: '/releases' },
  { title: 'Search', href: '/search' },
])}
${column('Developers', [
  { title: 'Get started', href: '/developers' },
  { title: 'Reference', href: '/developers/reference' },
  { title: 'Errors', href: '/developers/errors' },
  { title: 'Changelog', href: '/developers/changelog' },
])}
${column('For programs', [
  { title: 'OpenAPI', href: '/openapi.json' },
  { title: 'llms.txt', href: '/llms.txt' },
  { title: 'auth.md', href: '/auth.md' },
  { title: 'Release feed', href: '/releases.atom' },
])}
${column(vendor.name, [
  ...named,
  ...(vendor.url !== undefined && !Object.values(links).includes(vendor.url)
    ? [{ title: 'Website', href: vendor.url }]
    : []),
  ...(vendor.email === undefined ? [] : [{ title: vendor.email, href: `mailto:${vendor.email}` }]),
])}
</div></footer>`;
}

const icon = (paths: string) =>
  raw(
    `<svg viewBox="0 0 20 20" width="20" height="20" fill="none" stroke="currentColor" stroke-width="1.6" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${paths}</svg>`,
  );

const lens = icon('<circle cx="9" cy="9" r="5.5"/><path d="m13.2 13.2 3.8 3.8"/>');
const lines = icon('<path d="M3 6h14M3 10h14M3 14h14"/>');

/** Light and dark. */
const halves = icon('<circle cx="10" cy="10" r="7"/><path d="M10 3a7 7 0 0 1 0 14Z" fill="currentColor"/>');
