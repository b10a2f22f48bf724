/** The frame of every page: head, top, menu, content, foot; complete without JavaScript. */
import { html, raw } from 'hono/html';
import { nameInWords } from '../content/facts.ts';
import { filled, wordsSchema } from '../content/words.ts';
import { sandboxNote } from '../operations/context.ts';
import { head } from './head.ts';
import { directionOf, englishIn, filledHtml, languageOf, typeset, wordsOf } from './language.ts';
import {
  type Destination,
  destinations,
  developersNavigation,
  docsNavigation,
  type Group,
  holds,
  type MenuEntry,
  siteLinks,
} from './navigation.ts';
import type { PageDocument, PageParts } from './page.ts';
import { productOf, type Site } from './site.ts';

/** The page in both forms. */
export const document = (site: Site, parts: PageParts): PageDocument => ({
  path: parts.path,
  language: languageOf(site),
  html: layout(site, parts),
  markdown: `${directive(site)}\n\n${parts.markdown.trim()}\n`,
});

/** The line that leads an agent who landed on one page to all of them; on fixtures, what they are. */
const directive = (site: Site): string =>
  site.root === ''
    ? `> ${filled(wordsOf(site).documentation_index, { link: `[llms.txt](${site.baseUrl}/llms.txt)` })}`
    : `${sandboxNote.trim()} [About the sandbox](${site.baseUrl}/developers.md)`;

function layout(site: Site, parts: PageParts): string {
  const { path, section = null, contents = [], wide = false } = parts;
  const groups =
    section === 'docs' ? docsNavigation(site, path) : section === 'developers' ? developersNavigation(site) : [];
  const listed = typesetContents(site, contents);
  const columns = [
    'page',
    section === null ? 'alone' : 'beside',
    listed.length > 1 ? 'listed' : '',
    wide ? 'wide' : '',
  ];
  return String(html`<!DOCTYPE html>
<html lang="${languageOf(site)}"${directionOf(languageOf(site)) === 'rtl' ? raw(' dir="rtl"') : ''}>
${head(site, parts)}
<body${browserWords(site)}>
<a class="hidden" href="#main">${wordsOf(site).skip_to_content}</a>
${top(site, path)}
<div class="${columns.filter((name) => name !== '').join(' ')}">
${menu(site, path, section, groups)}
<main id="main"${section === 'developers' ? englishIn(site) : ''}>
${site.root === '' ? html`<p class="hidden">${filledHtml(wordsOf(site).documentation_index, { link: html`<a href="/llms.txt">llms.txt</a>` })}</p>` : fixtures}
${trail(site, parts.trail ?? [])}
${raw(parts.body)}
</main>
${listed.length > 1 ? onThisPage(site, listed) : ''}
</div>
${foot(site)}
</body>
</html>
`);
}

/** On every page with fixtures, above all else. */
const fixtures = html`<p class="fixtures"><strong>Sandbox:</strong> fixture data for testing API clients. It does not describe the product. <a href="/developers#sandbox-and-simulate">About the sandbox</a> · <a href="/">Product site</a></p>`;

/** A link of the site as an address: below the site's root. */
const hrefOf = ({ root }: Site, href: string): string => (href.startsWith('/') ? root + href : href);

function top(site: Site, path: string) {
  const { name } = productOf(site);
  const { logo } = site.look;
  const words = wordsOf(site);
  return html`<header class="top"><div class="bar">
<a class="brand" href="${hrefOf(site, '/')}">${logo === null ? '' : html`<img src="${logo.href}" alt="" width="28" height="28">`}${name}</a>
<nav class="links quiet" aria-label="${words.site}"><ul class="plain">${siteLinks(site).map((link) => item(site, link, path))}</ul></nav>
${site.root === '' ? search(site) : ''}
<button class="tool theme" type="button" aria-label="${words.dark_theme}" aria-pressed="false">${halves}</button>
<button class="tool menu-button" type="button" popovertarget="menu" aria-label="${words.menu}">${lines}</button>
</div></header>`;
}

const search = (site: Site) => {
  const words = wordsOf(site);
  return html`<form class="find" action="/search" role="search"><input type="search" name="q" aria-label="${words.search}" placeholder="${words.search_hint}" required minlength="2" maxlength="200" autocomplete="off" spellcheck="false"><button class="hidden" type="submit">${words.search}</button></form>
<a class="tool find-link" href="/search" aria-label="${words.search}">${lens}</a>`;
};

/** A column next to the content; on a phone what the menu button opens, with the site's own links. */
function menu(site: Site, path: string, section: PageParts['section'], groups: readonly Group[]) {
  const words = wordsOf(site);
  const label = section === 'docs' ? words.documentation : words.developers;
  return html`<div class="menu quiet" id="menu" popover>
<button class="tool close" type="button" popovertarget="menu" popovertargetaction="hide">${words.close}</button>
<nav class="menu-site" aria-label="${words.site_menu}"><ul class="plain">${siteLinks(site).map((link) => item(site, link, path))}</ul></nav>
${
  groups.length === 0
    ? ''
    : html`<nav class="menu-section" aria-label="${label}">${groups.map(
        ({ title, href, links }) =>
          html`${title === null ? '' : html`<p>${href === undefined ? html`<span>${title}</span>` : anchor(site, { title, href }, path)}</p>`}${menuList(site, links, path)}`,
      )}</nav>`
}
</div>`;
}

type Markup = ReturnType<typeof html>;

/** A group within a group is folded away, unless the page is in it. */
const menuList = (site: Site, entries: readonly MenuEntry[], path: string): Markup =>
  html`<ul class="plain">${entries.map(({ title, href, within = [], entries: inner }) => {
    if (inner !== undefined) {
      const own = href === undefined ? inner : [{ title, href }, ...inner];
      return html`<li><details${holds(own, path) ? raw(' open') : ''}><summary><span>${title}</span></summary>${menuList(site, own, path)}</details></li>`;
    }
    const link = { title, href: href ?? '' };
    return within.length > 0 && href === path
      ? html`<li>${anchor(site, link, path)}<ul class="plain">${within.map((part) => item(site, part, path))}</ul></li>`
      : item(site, link, path);
  })}</ul>`;

const item = (site: Site, link: Destination, path: string) => html`<li>${anchor(site, link, path)}</li>`;

/** Marks the page itself, and the site's link that the page lies under. */
function anchor(site: Site, { title, href }: Destination, path: string) {
  const here = href === path ? 'page' : href !== '/' && path.startsWith(`${href}/`) ? 'true' : null;
  return html`<a href="${hrefOf(site, href)}"${here === null ? '' : raw(` aria-current="${here}"`)}>${title}</a>`;
}

function trail(site: Site, destinations: readonly Destination[]) {
  const above = destinations.slice(1, -1);
  if (above.length === 0) return '';
  return html`<nav class="trail quiet" aria-label="${wordsOf(site).breadcrumb}"><ol class="plain">${above.map(
    ({ title, href }) => html`<li><a href="${hrefOf(site, href)}">${typeset(site, title)}</a></li>`,
  )}</ol></nav>`;
}

function onThisPage(site: Site, contents: NonNullable<PageParts['contents']>) {
  const title = wordsOf(site).on_this_page;
  return html`<aside class="contents quiet"><nav aria-label="${title}"><p>${title}</p>${contentsList(contents)}</nav></aside>`;
}

const typesetContents = (site: Site, contents: NonNullable<PageParts['contents']>) =>
  contents.filter(({ level }) => level <= 3).map((entry) => ({ ...entry, text: typeset(site, entry.text) }));

/** The list of a page's headings; a page puts it below its title for windows without a third column. */
const contentsList = (contents: NonNullable<PageParts['contents']>) =>
  html`<ul class="plain">${contents.map(
    ({ text, anchor: id, level }) => html`<li class="level-${level}"><a href="#${id}">${text}</a></li>`,
  )}</ul>`;

/** "On this page" as a disclosure, for windows without a third column. */
export const contentsDisclosure = (site: Site, contents: NonNullable<PageParts['contents']>) =>
  typesetContents(site, contents).length < 2
    ? ''
    : html`<details class="contents-inline quiet"><summary>${wordsOf(site).on_this_page}</summary>${contentsList(typesetContents(site, contents))}</details>`;

function foot(site: Site) {
  const { name } = productOf(site);
  const words = wordsOf(site);
  const own = destinations(site, 'foot').map(({ title, href }) => ({ title, href: hrefOf(site, href) }));
  return html`<footer class="foot quiet"><div class="bar">
${column(name, own)}
${column(words.developers, [
  { title: words.get_started, href: '/developers' },
  { title: words.reference, href: '/developers/reference' },
  { title: words.errors, href: '/developers/errors' },
  { title: words.changelog, href: '/developers/changelog' },
])}
${site.root === '' ? ofTheProduct(site) : ''}
</div></footer>`;
}

const column = (title: string, destinations: readonly Destination[]) =>
  html`<div><h2>${title}</h2><ul class="plain">${destinations.map((link) => html`<li><a href="${link.href}">${breakable(link.title)}</a></li>`)}</ul></div>`;

/** A mail address may break after its "@" before it breaks anywhere else. */
const breakable = (title: string) =>
  title.split(/(?<=@)/).map((part, index) => html`${index > 0 ? raw('<wbr>') : ''}${part}`);

/** What only the product has: its documents for programs, and its vendor. */
function ofTheProduct(site: Site) {
  const { vendor, links } = productOf(site);
  const words = wordsOf(site);
  const named = Object.entries(links).map(([key, href]) => ({ title: words.links[key] ?? nameInWords(key), href }));
  return html`${column(words.for_programs, [
    { title: 'OpenAPI', href: '/openapi.json' },
    { title: 'llms.txt', href: '/llms.txt' },
    { title: 'auth.md', href: '/auth.md' },
    { title: words.release_feed, href: '/releases.atom' },
  ])}
${column(vendor.name, [
  ...named,
  ...(vendor.url !== undefined && !Object.values(links).includes(vendor.url)
    ? [{ title: words.website, href: vendor.url }]
    : []),
  ...(vendor.email === undefined ? [] : [{ title: vendor.email, href: `mailto:${vendor.email}` }]),
])}`;
}

const icon = (paths: string) =>
  raw(
    `<svg viewBox="0 0 20 20" width="20" height="20" fill="none" stroke="currentColor" stroke-width="1.6" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${paths}</svg>`,
  );

const lens = icon('<circle cx="9" cy="9" r="5.5"/><path d="m13.2 13.2 3.8 3.8"/>');
const lines = icon('<path d="M3 6h14M3 10h14M3 14h14"/>');

/** Light and dark. */
const halves = icon('<circle cx="10" cy="10" r="7"/><path d="M10 3a7 7 0 0 1 0 14Z" fill="currentColor"/>');

/** What the script says, by the name of the attribute that has it. */
const browserWordNames = [
  ['copy', 'data-copy'],
  ['copied', 'data-copied'],
  ['not_copied', 'data-not-copied'],
  ['copy_as_markdown', 'data-copy-as-markdown'],
  ['one_result', 'data-one-result'],
  ['results_found', 'data-results-found'],
  ['too_many_searches', 'data-too-many-searches'],
  ['search_failed', 'data-search-failed'],
] as const;

/** The script has the English words itself. */
const english = wordsSchema.parse({});

/** Those of the script's words that the folder has in other words. */
function browserWords(site: Site) {
  const words = wordsOf(site);
  return browserWordNames
    .filter(([key]) => words[key] !== english[key])
    .map(([key, name]) => html` ${raw(name)}="${words[key]}"`);
}
