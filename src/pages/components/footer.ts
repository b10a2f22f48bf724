/** Renders the footer of every page: links of the site, of the portal and of the vendor. */
import { html, raw } from 'hono/html';
import { type Destination, listDestinations, nameLink } from '../navigation.ts';
import type { Site } from '../site.ts';
import type { Markup } from './attributes.ts';
import { resolveHref } from './nav-link.ts';

/**
 * Renders four columns of links; pages with fixtures have only those of the site and the portal, and a snapshot lacks that of the
 * portal.
 */
export function Footer(site: Site): Markup {
  const siteLinks = listDestinations(site, 'foot').map(({ title, href }) => ({ title, href: resolveHref(site, href) }));
  return html`<footer class="footer quiet"><div class="bar">
${Column(site.product.name, siteLinks)}
${
  !site.isSnapshot &&
  Column(site.words.developers, [
    { title: site.words.get_started, href: '/developers' },
    { title: site.words.reference, href: '/developers/reference' },
    { title: site.words.errors, href: '/developers/errors' },
    { title: site.words.changelog, href: '/developers/changelog' },
  ])
}
${
  site.root === '' &&
  Column(site.words.for_programs, [
    ...(site.isSnapshot ? [] : [{ title: 'OpenAPI', href: '/openapi.json' }]),
    { title: 'llms.txt', href: '/llms.txt' },
    ...(site.isSnapshot ? [] : [{ title: 'auth.md', href: '/auth.md' }]),
    { title: site.words.release_feed, href: '/releases.atom' },
  ])
}
${site.root === '' && Column(site.product.vendor.name, listVendorLinks(site))}
</div></footer>`;
}

const Column = (title: string, links: readonly Destination[]) =>
  html`<div><h2>${title}</h2><ul class="plain">${links.map((link) => html`<li><a href="${link.href}">${allowBreaks(link.title)}</a></li>`)}</ul></div>`;

/** Renders the title of a link, so that a mail address breaks after its "@" before it breaks anywhere else. */
const allowBreaks = (title: string): Markup[] =>
  title.split(/(?<=@)/).map((part, index) => html`${index > 0 && raw('<wbr>')}${part}`);

function listVendorLinks(site: Site): Destination[] {
  const { vendor, links } = site.product;
  const entries = Object.entries(links).map(([key, href]) => ({
    title: nameLink(site, key),
    href,
  }));
  const { url, email } = vendor;
  if (url !== undefined && !Object.values(links).includes(url)) entries.push({ title: site.words.website, href: url });
  if (email !== undefined) entries.push({ title: email, href: `mailto:${email}` });
  return entries;
}
