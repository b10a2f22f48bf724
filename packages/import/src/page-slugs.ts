/** Assigns each page of the old site a file below docs/ whose address is as near to the old one as it can be. */
import { compare, decodeUri, rootSlug, toUrlName } from 'colophon/authoring';
import type { Report } from './report.ts';
import type { Site, SourcePage } from './site.ts';

/** A page with its place in the content folder. */
export interface PlacedPage {
  readonly page: SourcePage;
  /** Path of the page's new file, such as `docs/guides/setup.md`. */
  readonly target: string;
  /** The address below `/docs/`, such as `guides/setup`, or `rootSlug` for `/docs` itself. */
  readonly slug: string;
}

/**
 * Returns the pages with their new places, by their files in the source and sorted by them. Each has its own slug; one that another
 * page has already gets a number, which is reported.
 */
export function assignSlugs(site: Site, report: Report): Map<string, PlacedPage> {
  const slugs = new Map<string, SourcePage>();
  for (const page of [...site.pages].sort((a, b) => compare(a.file, b.file))) {
    const preferredSlug = toSlug(page.address, site);
    let slug = preferredSlug;
    for (let count = 2; slugs.has(slug); count += 1) slug = `${preferredSlug}-${count}`;
    const message = `${slugs.get(preferredSlug)?.file} has the address /docs/${preferredSlug}, too: this page is at /docs/${slug}.`;
    if (slug !== preferredSlug) report.add(page.file, 1, message);
    slugs.set(slug, page);
  }
  const folders = new Set([...slugs.keys()].flatMap(listFolders));
  return new Map(
    [...slugs]
      .map(([slug, page]): [string, PlacedPage] => {
        const target =
          slug === rootSlug ? 'docs/index.md' : folders.has(slug) ? `docs/${slug}/index.md` : `docs/${slug}.md`;
        return [page.file, { page, slug, target }];
      })
      .sort(([a], [b]) => compare(a, b)),
  );
}

const listFolders = (slug: string): string[] =>
  slug
    .split('/')
    .slice(0, -1)
    .map((_, index, parts) => parts.slice(0, index + 1).join('/'));

function toSlug(address: string, { documentation, pages }: Site): string {
  const isBelow = address === documentation || address.startsWith(`${documentation}/`);
  if (address === '/' && documentation !== '' && pages.some((page) => page.address === documentation)) return 'home';
  const segments = (isBelow ? address.slice(documentation.length) : address).split('/').filter((part) => part !== '');
  if (segments.length === 0) return rootSlug;
  return segments.map((segment, index) => toPlainSegment(segment, index === segments.length - 1)).join('/');
}

/**
 * Turns a segment of an address into lower-case letters, digits and hyphens, or `page` if none are left; the last one gets `-page`
 * at its end if it would be `index` or `readme`.
 */
function toPlainSegment(segment: string, isLast: boolean): string {
  const plain = toUrlName(decodeUri(segment));
  if (plain === '') return 'page';
  return isLast && (plain === 'index' || plain === 'readme') ? `${plain}-page` : plain;
}

/**
 * Returns one key for all spellings of an old address without query and anchor: capitals, percent-encoding, an extension such as
 * `.html` or `.md`, and `index`, `readme` or a slash at the end make no difference. It is `/` for the root.
 */
export const normalizeAddress = (address: string): string =>
  decodeUri(address)
    .toLowerCase()
    .replace(/(?:\/(?:index|readme))?(?:\.(?:html?|mdx?))?\/*$/, '') || '/';
