/** Checks links to questions, plans, features and releases, whose pages and anchors the site creates from data. */
import { writeDidYouMean } from '../base/near-miss.ts';
import { decodeUri } from '../base/uri.ts';
import type { Content } from '../content/content.ts';
import { createSuggestions } from '../content/fault.ts';
import { getFeatureAnchor, getPermissionAnchor, requirementsAnchor } from '../content/site-paths.ts';
import { rootSlug } from '../markdown/links.ts';
import { maxFullReleases } from '../pages/releases.ts';

/** Returns why a link leads to no place of a page that the site makes, as a sentence; null if it leads to one, or to anything else. */
export type SiteLinkCheck = (href: string) => string | null;

/**
 * Creates the check of links to questions, plans, features and releases.
 *
 * @param versions those of all releases, newest first, or null if they are not known, so that links to releases are not checked
 */
export function createSiteLinkCheck(content: Content, versions: readonly string[] | null): SiteLinkCheck {
  const anchors = listAnchors(content, versions);
  const suggest = createSuggestions();
  return (href) => {
    const { pathname, hash } = URL.parse(href, 'http://site.invalid/') ?? {};
    if (!href.startsWith('/') || pathname === undefined || hash === undefined) return null;
    const path = decodeUri(pathname).replace(/\.md$|(?<=.)\/$/, '');
    const places = anchors.get(path);
    const anchor = decodeUri(hash.slice(1));
    const isBuild = path === '/releases' && [...(places ?? [])].some((place) => anchor.startsWith(`${place}-`));
    if (places !== undefined && anchor !== '' && !places.has(anchor) && !isBuild)
      return `\`${href}\` leads to nothing on ${path}.${writeDidYouMean(suggest(anchor, places).map((near) => `#${near}`))}`;
    const [, version] = /^\/releases\/([^/]+)$/.exec(path) ?? [];
    // If a version has several builds, `/releases/VERSION+BUILD` is the page of one of them.
    const isKnown = (name: string): boolean =>
      name === 'latest' || versions?.some((other) => other === name || name.startsWith(`${other}+`)) !== false;
    if (versions === null || version === undefined || isKnown(version)) return null;
    return `\`${href}\` leads nowhere: there is no release ${version}.${writeDidYouMean(suggest(version, versions))}`;
  };
}

/**
 * Lists the anchors, without `#`, of each page that the site makes from data, by its path. Pages whose anchors are not known are
 * left out.
 */
function listAnchors(
  { faq, pricing, features, requirements, pages }: Content,
  versions: readonly string[] | null,
): Map<string, Set<string>> {
  const categories = [...new Set(faq.map(({ category }) => category))].map((_, index) => `category-${index + 1}`);
  const home = ['features', 'new', 'reading', 'programs', 'permissions', 'leaves', 'plans', 'runs', requirementsAnchor];
  const releases = versions?.slice(0, maxFullReleases).map((version) => version.replace(/[^A-Za-z0-9.-]/g, '-'));
  const lists: Record<string, readonly string[] | undefined> = {
    '/': [
      ...home,
      ...features.map(({ id }) => getFeatureAnchor(id)),
      ...requirements.permissions.map(({ id }) => getPermissionAnchor(id)),
    ],
    '/docs': pages.some(({ slug }) => slug === rootSlug) ? undefined : [],
    '/faq': [...faq.map(({ id }) => id), ...categories],
    '/pricing': [
      ...pricing.plans.map(({ id }) => id),
      ...pricing.backends.map(({ id }) => `backend-${id}`),
      'backends',
      'api',
    ],
    '/releases': releases && [...releases, 'older', 'older-systems'],
  };
  return new Map(Object.entries(lists).flatMap(([path, places]) => (places ? [[path, new Set(places)]] : [])));
}
