/** Checks links to questions, plans and releases, which are places of pages that the site makes. */
import { didYouMean } from '../base/near-miss.ts';
import { decodeUri } from '../base/uri.ts';
import type { Content } from '../content/content.ts';
import { createSuggestions } from '../content/fault.ts';

/** Returns why a link leads to no place of a page that the site makes, or null. */
export type SiteLinkCheck = (href: string) => string | null;

/**
 * Creates the check.
 *
 * @param versions of all releases, or null if they are not known, so that links to releases are not checked
 */
export function createSiteLinkCheck({ faq, pricing }: Content, versions: readonly string[] | null): SiteLinkCheck {
  const categories = [...new Set(faq.map(({ category }) => category))].map((_, index) => `category-${index + 1}`);
  const plans = pricing.plans.map(({ id }) => id);
  const backends = pricing.backends.map(({ id }) => `backend-${id}`);
  const anchors = new Map([
    ['/faq', new Set([...faq.map(({ id }) => id), ...categories])],
    ['/pricing', new Set([...plans, ...backends, 'backends', 'api'])],
  ]);
  const suggest = createSuggestions();
  return (href) => {
    const { pathname, hash } = URL.parse(href, 'http://site.invalid/') ?? {};
    if (!href.startsWith('/') || pathname === undefined || hash === undefined) return null;
    const path = decodeUri(pathname).replace(/\.md$|\/$/, '');
    const known = anchors.get(path);
    const anchor = decodeUri(hash.slice(1));
    if (known !== undefined && anchor !== '' && !known.has(anchor))
      return `\`${href}\` leads to nothing on ${path}.${didYouMean(suggest(anchor, known).map((near) => `#${near}`))}`;
    const [, version] = /^\/releases\/([^/]+)$/.exec(path) ?? [];
    // Of two builds of a version, the address of the second one has the build after a plus sign.
    const isKnown = (name: string): boolean =>
      name === 'latest' || versions?.some((other) => other === name || name.startsWith(`${other}+`)) !== false;
    if (versions === null || version === undefined || isKnown(version)) return null;
    return `\`${href}\` leads nowhere: there is no release ${version}.${didYouMean(suggest(version, versions))}`;
  };
}
