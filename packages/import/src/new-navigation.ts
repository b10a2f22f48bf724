/** Writes the old navigation as navigation.yaml: pages that were imported, each once, in groups that are not too deep. */
import { rootSlug } from 'colophon/authoring';
import { shortenTitle } from './blocks.ts';
import type { LinkResolver } from './links.ts';
import type { PlacedPage } from './page-slugs.ts';
import type { Entry } from './site.ts';

/**
 * An entry as navigation.yaml has it: the slug of a page, or a page, a link or a group with a title. `page` is a slug; without
 * `title` the entry has the title of its page.
 */
export type WrittenEntry = string | { title?: string; page?: string; href?: string; pages?: WrittenEntry[] };

/** Depth, from 1, from which on a group becomes its entries. */
const maxDepth = 4;

/** The old navigation, and the lookups that the new one depends on. */
export interface NavigationInput {
  readonly entries: readonly Entry[];
  /** The imported pages, by file. */
  readonly pages: ReadonlyMap<string, PlacedPage>;
  /** Titles of the pages, by file. */
  readonly titles: ReadonlyMap<string, string>;
  /** Labels of pages in the menu that differ from their titles, by file. */
  readonly labels: ReadonlyMap<string, string>;
  readonly resolver: LinkResolver;
  /** Is called with the title and the address of each link to the old site that leads to no page. */
  lost(title: string, href: string): void;
}

/**
 * Converts the old navigation to the entries of navigation.yaml. Entries that lead nowhere, second ones of a page and empty groups
 * without a page are left out; groups are at most four deep, and a deeper one becomes its entries. The result is empty if its only
 * entry would be the page at `/docs`.
 */
export function createNavigation({ entries, pages, titles, labels, resolver, lost }: NavigationInput): WrittenEntry[] {
  const seenSlugs = new Set<string>();

  const takePage = (file: string | null | undefined): string | null => {
    const slug = pages.get(file ?? '')?.slug;
    if (slug === undefined || seenSlugs.has(slug)) return null;
    seenSlugs.add(slug);
    return slug;
  };
  const writePage = (file: string | null | undefined, title: string | null): WrittenEntry[] => {
    const slug = takePage(file);
    if (slug === null) return [];
    const label = title ?? labels.get(file ?? '') ?? null;
    return [label === null || label === titles.get(file ?? '') ? slug : { title: shortenTitle(label), page: slug }];
  };
  const writeLink = (title: string, href: string): WrittenEntry[] => {
    if (/^https?:\/\//i.test(href)) return /^\S{1,500}$/.test(href) ? [{ title: shortenTitle(title), href }] : [];
    const page = resolver.pageAt(href.split('#')[0] ?? '');
    if (page !== null) return writePage(page.page.file, title);
    lost(title, href);
    return [];
  };
  const writeGroup = ({ file, title }: Entry, inner: readonly Entry[], depth: number): WrittenEntry[] => {
    const slug = takePage(file);
    const groupPage = slug === null ? [] : [slug];
    const below = write(inner, depth + 1);
    if (below.length === 0 || depth > maxDepth) return [...groupPage, ...below];
    const label = title ?? (slug === null ? 'More' : null);
    const isPageTitle = slug !== null && label === titles.get(file ?? '');
    return [
      {
        ...(label !== null && !isPageTitle && { title: shortenTitle(label) }),
        ...(slug !== null && { page: slug }),
        pages: below,
      },
    ];
  };
  const write = (list: readonly Entry[], depth: number): WrittenEntry[] =>
    list.flatMap((entry) => {
      if (entry.entries !== undefined && entry.entries.length > 0) return writeGroup(entry, entry.entries, depth);
      return entry.href === undefined
        ? writePage(entry.file, entry.title)
        : writeLink(entry.title ?? entry.href, entry.href);
    });
  const result = write(entries, 1);
  return result.filter((entry) => entry !== rootSlug || result.length > 1);
}
