/** Builds the menus: the site's own links, the documentation in its order, and the developer portal. */
import { isNone } from '../base/none.ts';
import type { Page } from '../content/content.ts';
import { spellName } from '../content/facts.ts';
import type { NavigationEntry } from '../content/navigation.ts';
import { listSlugs } from '../content/navigation.ts';
import { getDocPath } from '../markdown/links.ts';
import { typeset } from './language.ts';
import type { Site } from './site.ts';

/** A link of a menu. */
export interface Destination {
  readonly title: string;
  /** A URL, or a path on the site without the site's root. */
  readonly href: string;
}

/** A page or a group in a menu. */
export interface MenuEntry {
  readonly title: string;
  /** Undefined for a group that has no page. */
  readonly href?: string;
  /** Sections of a page, listed only on that page; undefined if there are none. */
  readonly within?: readonly Destination[];
  /** The entries of a group; undefined for a page. */
  readonly entries?: readonly MenuEntry[];
}

/** A list of a menu and its heading, which is a link if it has `href`; the title is null for a list without a heading. */
export interface Group {
  readonly title: string | null;
  readonly href?: string;
  readonly links: readonly MenuEntry[];
}

/** Returns the links at the top of every page: `navigation` of product.yaml, or the links of the menu if that is left out. */
export function listSiteLinks(site: Site): readonly Destination[] {
  return site.product.navigation ?? listDestinations(site, 'menu');
}

/**
 * Returns the links of the resources that have one in the menu or in the footer, the lowest place first, without those to pages
 * that do not exist.
 */
export function listDestinations(site: Site, where: 'menu' | 'foot'): readonly Destination[] {
  return site.published
    .flatMap(({ navigation }) => (isNone(navigation) || navigation.isThere?.(site) === false ? [] : [navigation]))
    .toSorted((a, b) => a.place - b.place)
    .flatMap(({ href, [where]: title }) => (title === null ? [] : [{ title: title(site.words), href }]));
}

/**
 * Returns the title of the link of product.yaml with this key: from the site's words, else the key spelled as words, such as
 * "Privacy policy".
 */
export const nameLink = ({ words }: Pick<Site, 'words'>, key: string): string => words.links[key] ?? spellName(key);

/**
 * Returns the links for a reader who found nothing: all documentation, then the link `support` of product.yaml, or else the
 * vendor's mail address as a `mailto:` URL, or no second one if there is neither.
 */
export function listHelp(site: Pick<Site, 'words' | 'product'>): Destination[] {
  const { vendor, links } = site.product;
  const docs = { title: site.words.all_documentation, href: '/docs' };
  if (links.support !== undefined) return [docs, { title: nameLink(site, 'support'), href: links.support }];
  return vendor.email === undefined ? [docs] : [docs, { title: vendor.email, href: `mailto:${vendor.email}` }];
}

/**
 * Returns the documentation's menu on the page at `path`, which has no site's root. It is the whole menu up to 300 pages. A
 * larger one has the first group and those with the page, each cut to the part around the page, and last a heading that links to
 * /docs.
 */
export function createDocsNavigation(site: Site, path: string): Group[] {
  const groups = getMenu(site);
  if (site.content.pages.length <= maxMenuPages) return groups;
  const near = groups
    .filter((group, index) => index === 0 || group.href === path || contains(group.links, path))
    .map((group) => ({ ...group, links: listBranch(group.links, path) }));
  return [...near, { title: site.words.documentation, href: '/docs', links: [] }];
}

/** Maximum number of pages in a whole menu; with more, each page would be mostly menu. */
const maxMenuPages = 300;
/** Maximum number of entries of one list before the current page; the list shows twice as many others. */
const maxNeighbors = 25;

/**
 * Returns the part of a list around the page: at most 25 entries before it and 51 in all, or the first 51 if the list lacks it. A
 * group without the page becomes a link to its first page, and is left out if it has none.
 */
function listBranch(entries: readonly MenuEntry[], path: string): MenuEntry[] {
  const position = entries.findIndex((entry) => contains([entry], path));
  const start = Math.max(0, position - maxNeighbors);
  return entries.slice(start, start + 2 * maxNeighbors + 1).flatMap(({ entries: inner, ...entry }) => {
    if (inner === undefined) return [entry];
    if (contains(inner, path)) return [{ ...entry, entries: listBranch(inner, path) }];
    const [href] = listHrefs([{ ...entry, entries: inner }]);
    return href === undefined ? [] : [{ ...entry, href }];
  });
}

const listHrefs = (entries: readonly MenuEntry[]): string[] =>
  entries.flatMap(({ href, entries: inner = [] }) => [...(href === undefined ? [] : [href]), ...listHrefs(inner)]);

/** Returns whether the page is one of the entries, or in one of them at any depth; `within`, the sections of a page, does not count. */
export const contains = (entries: readonly MenuEntry[], path: string): boolean => listHrefs(entries).includes(path);

/**
 * Returns a function that calls `compute` once for each `Site` object and returns the same result every time, because a large
 * documentation has too many pages to compute it for each.
 */
function cachePerSite<T extends object>(compute: (site: Site) => T): (site: Site) => T {
  const results = new WeakMap<Site, T>();
  return (site) => {
    const result = results.get(site) ?? compute(site);
    results.set(site, result);
    return result;
  };
}

/** Returns the documentation's whole menu as groups. Neighboring entries that are no groups become one group without a heading. */
const getMenu = cachePerSite((site): Group[] => {
  const groups: { title: string | null; href?: string; links: MenuEntry[] }[] = [];
  for (const entry of site.content.navigation) {
    const { entries, ...item } = createMenuEntry(site, entry);
    const last = groups.at(-1);
    if (entries !== undefined) groups.push({ ...item, links: [...entries] });
    else if (last?.title === null) last.links.push(item);
    else groups.push({ title: null, links: [item] });
  }
  return groups;
});

function createMenuEntry(site: Site, entry: NavigationEntry): MenuEntry {
  if (entry.kind === 'link') return { title: entry.title, href: entry.href };
  const page = entry.slug === null ? undefined : site.catalog.page(entry.slug);
  const item = {
    title: typeset(site, entry.title ?? page?.title ?? ''),
    ...(page !== undefined && { href: getDocPath(page.slug) }),
  };
  return entry.kind === 'page'
    ? item
    : { ...item, entries: entry.entries.map((inner) => createMenuEntry(site, inner)) };
}

/** Returns the pages of a part of the navigation at any depth, those of groups too, in their order. Unknown slugs are left out. */
export const findPages = ({ catalog }: Site, entries: readonly NavigationEntry[]): Page[] =>
  listSlugs(entries).flatMap((slug) => catalog.page(slug) ?? []);

/**
 * Returns the slugs of the groups that a page is in, from the top, without groups that have no page; null if the navigation lacks
 * the page.
 */
export function findGroupsAbove(entries: readonly NavigationEntry[], slug: string): string[] | null {
  for (const entry of entries) {
    if (entry.kind === 'link') continue;
    if (entry.slug === slug) return [];
    const within = entry.kind === 'group' ? findGroupsAbove(entry.entries, slug) : null;
    if (within !== null) return entry.slug === null ? within : [entry.slug, ...within];
  }
  return null;
}

/** Returns the pages before and after one in the order of the navigation; null at its ends, and both null for a page that it lacks. */
export function findNeighbors(site: Site, slug: string): { previous: Page | null; next: Page | null } {
  const { pages, positions } = getReadingOrder(site);
  const position = positions.get(slug) ?? pages.length + 1;
  return { previous: pages[position - 1] ?? null, next: pages[position + 1] ?? null };
}

const getReadingOrder = cachePerSite((site) => {
  const pages = findPages(site, site.content.navigation);
  return { pages, positions: new Map(pages.map(({ slug }, index) => [slug, index])) };
});
