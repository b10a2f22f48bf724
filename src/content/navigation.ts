/** navigation.yaml, the order and the groups of the documentation: its schema, its faults, and the navigation of a folder without it. */
import { z } from 'zod';
import { writeDidYouMean } from '../base/near-miss.ts';
import { getValue, type Path } from '../base/value-path.ts';
import { rootSlug, toSlug } from '../markdown/links.ts';
import { spellName } from './facts.ts';
import { compare, type Fault, type Suggest } from './fault.ts';
import { object, optional, pattern, text } from './field-schemas.ts';
import { listPaths, type YamlDocument } from './yaml.ts';

/**
 * An entry of the menu: a page by its slug, whose own title is shown if `title` is null; a link to a path of the site or a URL; or
 * a group of entries, which may be a page itself.
 */
export type NavigationEntry =
  | { readonly kind: 'page'; readonly slug: string; readonly title: string | null }
  | { readonly kind: 'link'; readonly title: string; readonly href: string }
  | {
      readonly kind: 'group';
      /** Null if the title of its page is shown. */
      readonly title: string | null;
      /** Null if the group is no page itself. */
      readonly slug: string | null;
      readonly entries: readonly NavigationEntry[];
    };

/** The name of a page in navigation.yaml: a slug or a file below docs/. */
const pageName = pattern(
  /^[a-z0-9-]+(\/[a-zA-Z0-9-]+)*(\.md)?$/,
  'must be a slug or a file below docs/, such as `guides/setup`',
  256,
);

const entry = z.strictObject({
  title: optional(text(100), 'The words in the menu; by default, the page’s title. Required without `page`.'),
  page: optional(pageName, 'The path of a page below docs/, such as `guides/setup`; with `pages`, the group’s page.'),
  href: optional(
    pattern(/^(\/|https?:\/\/[^\s/])\S*$/, 'must be a path of the site, or an http or https URL', 500),
    'A path of the site or a URL, for a link; not together with `page` or `pages`.',
  ),
  get pages() {
    return z.array(anyEntry).min(1).optional().describe('The entries of a group; groups may be nested four deep.');
  },
});

const anyEntry = z.union([pageName, entry]);

/** An entry of navigation.yaml: the name of a page, or a page, a link or a group with its keys. */
type WrittenEntry = string | z.output<typeof entry>;

/** The schema of navigation.yaml. */
export const navigationSchema = object('The menu of the documentation: the order of its pages, and their groups.', {
  pages: optional(
    z.array(anyEntry).min(1),
    'Pages, links and groups in the order of the menu; a page is its path below docs/. Pages that are not listed are served, but no menu has them. By default, the menu follows the folders of docs/.',
  ),
});

/** Converts a valid list of navigation.yaml into entries, recursively. */
export const readNavigation = (entries: readonly WrittenEntry[]): NavigationEntry[] =>
  entries.map((entry) => {
    if (typeof entry === 'string') return { kind: 'page', slug: toSlug(`docs/${entry}`), title: null };
    const slug = entry.page === undefined ? null : toSlug(`docs/${entry.page}`);
    if (entry.pages !== undefined) {
      return { kind: 'group', title: entry.title ?? null, slug, entries: readNavigation(entry.pages) };
    }
    if (slug !== null) return { kind: 'page', slug, title: entry.title ?? null };
    return { kind: 'link', title: entry.title ?? '', href: entry.href ?? '' };
  });

/** Maximum number of groups within each other; a deeper menu helps nobody. */
const maxDepth = 4;

/**
 * Returns the faults of navigation.yaml: pages that do not exist or are listed twice, entries whose keys are missing or exclude
 * each other, and groups that are more than 4 deep. A value that does not match the schema is left to its validation.
 *
 * @param pages the pages of the folder by slug
 */
export function findNavigationFaults(
  document: YamlDocument,
  pages: ReadonlyMap<string, unknown>,
  suggest: Suggest,
): Fault[] {
  const slugs = [...pages.keys()];
  const faults: Fault[] = [];
  const pathBySlug = new Map<string, Path>();
  const report = (path: Path, message: string) => void faults.push(document.faultAt(path, message));
  const checkPage = (path: Path, name: unknown) => {
    if (!pageName.safeParse(name).success) return;
    const slug = toSlug(`docs/${name}`);
    const earlier = pathBySlug.get(slug);
    if (!pages.has(slug)) report(path, `there is no page \`${name}\`.${writeDidYouMean(suggest(slug, slugs))}`);
    else if (earlier === undefined) pathBySlug.set(slug, path);
    else report(path, `\`${name}\` is listed twice; line ${document.at(earlier).line} has it too.`);
  };
  const checkEntries = (list: Path, depth: number) => {
    for (const path of listPaths(document, list)) {
      const entry = getValue(document.value, path);
      checkPage(path, entry);
      if (typeof entry !== 'object' || entry === null) continue;
      const has = (key: string) => getValue(entry, [key]) !== undefined;
      if (has('href') && (has('page') || has('pages')))
        report(path, '`href` cannot be combined with `page` or `pages`.');
      if (!has('title')) {
        if (has('href')) report(path, '`title` is missing: a link needs the words that the menu shows.');
        if (has('pages') && !has('page')) report(path, '`title` is missing: a group needs one, or a `page`.');
      }
      if (!has('href') && !has('page') && !has('pages')) report(path, 'add a `page`, an `href` or `pages`.');
      checkPage([...path, 'page'], getValue(entry, ['page']));
      if (has('pages') && depth > maxDepth) report(path, `groups may be ${maxDepth} deep.`);
      else checkEntries([...path, 'pages'], depth + 1);
    }
  };
  checkEntries(['pages'], 1);
  return faults;
}

/** The part of a page that its position depends on; `order` is null if the front matter has none. */
interface OrderedPage {
  readonly slug: string;
  readonly order: number | null;
}

/**
 * Creates the navigation from folders: docs/index.md first, then pages by `order`, those without one by slug after them. A folder
 * is a group where its first page would be; a page with the folder's slug is the group's own page, otherwise the title is made from
 * the folder's name.
 */
export function createFolderNavigation(pages: readonly OrderedPage[]): NavigationEntry[] {
  const order = (page: OrderedPage) => page.order ?? Number.POSITIVE_INFINITY;
  const slugs = [...pages].sort((a, b) => order(a) - order(b) || compare(a.slug, b.slug)).map(({ slug }) => slug);
  const pageSlugs = new Set(slugs);
  const folders = new Set(slugs.flatMap(listFolders));
  const top: NavigationEntry[] = [];
  const groups = new Map<string, NavigationEntry[]>([['', top]]);
  /** Returns the entries of a folder's group, which is added to that of the folder around it when it is first needed. */
  const getGroup = (folder: string): NavigationEntry[] => {
    let entries = groups.get(folder);
    if (entries !== undefined) return entries;
    entries = [];
    groups.set(folder, entries);
    const slug = pageSlugs.has(folder) ? folder : null;
    const title = slug === null ? spellName(folder.slice(folder.lastIndexOf('/') + 1)) : null;
    getGroup(getParent(folder)).push({ kind: 'group', title, slug, entries });
    return entries;
  };
  for (const slug of slugs) {
    if (folders.has(slug)) getGroup(slug);
    else if (slug === rootSlug) top.unshift({ kind: 'page', slug, title: null });
    else getGroup(getParent(slug)).push({ kind: 'page', slug, title: null });
  }
  return top;
}

const getParent = (slug: string): string => slug.slice(0, Math.max(0, slug.lastIndexOf('/')));

/** Returns the slugs of the folders above a page or a folder, the innermost first; none for a slug without a slash. */
function listFolders(slug: string): string[] {
  const folder = getParent(slug);
  return folder === '' ? [] : [folder, ...listFolders(folder)];
}

/** Returns the slugs of all pages in reading order, a group's own page before its entries; links have none. */
export const listSlugs = (entries: readonly NavigationEntry[]): string[] =>
  entries.flatMap((entry) => {
    if (entry.kind === 'page') return [entry.slug];
    if (entry.kind === 'link') return [];
    return [...(entry.slug === null ? [] : [entry.slug]), ...listSlugs(entry.entries)];
  });
