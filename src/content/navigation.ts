/** navigation.yaml, the order and the groups of the documentation: its schema, its faults, and the navigation of a folder without it. */
import { z } from 'zod';
import { didYouMean } from '../base/near-miss.ts';
import { type Path, valueAt } from '../base/value-path.ts';
import { rootSlug, slugOf } from '../markdown/links.ts';
import { compare, type Fault, type Suggest } from './fault.ts';
import type { YamlDocument } from './yaml.ts';

/** A page, a link elsewhere, or a group, which may be a page itself. */
export type NavigationEntry =
  | { readonly kind: 'page'; readonly slug: string; readonly title: string | null }
  | { readonly kind: 'link'; readonly title: string; readonly href: string }
  | {
      readonly kind: 'group';
      /** Null if the title of its page is shown. */
      readonly title: string | null;
      readonly slug: string | null;
      readonly entries: readonly NavigationEntry[];
    };

const title = z.string().trim().min(1).max(100);
/** The name of a page in navigation.yaml: a slug or a file below docs/. */
const pageName = z
  .string()
  .regex(/^[a-z0-9-]+(\/[a-zA-Z0-9-]+)*(\.md)?$/, 'must be a slug or a file below docs/, such as `guides/setup`')
  .max(256);

/** An entry of navigation.yaml. */
export interface WrittenEntry {
  readonly title?: string | undefined;
  readonly page?: string | undefined;
  readonly href?: string | undefined;
  readonly pages?: readonly (string | WrittenEntry)[] | undefined;
}

const entrySchema: z.ZodType<string | WrittenEntry> = z.lazy(() =>
  z.union([
    pageName,
    z.strictObject({
      title: title.optional().describe('What the menu shows; the page’s title when left out.'),
      page: pageName.optional().describe('A page, or the page of a group.'),
      href: z
        .string()
        .regex(/^(\/|https?:\/\/[^\s/])\S*$/, 'must be a path of the site, or an http or https URL')
        .max(500)
        .optional()
        .describe('A link that is no page of the documentation.'),
      pages: z.array(entrySchema).min(1).optional().describe('What the group holds.'),
    }),
  ]),
);

/** The schema of navigation.yaml. */
export const navigationSchema = z
  .strictObject({
    pages: z
      .array(entrySchema)
      .min(1)
      .describe('Pages and groups in reading order. A page that is left out is served, but no menu shows it.'),
  })
  .partial()
  .describe('The order and the groups of the documentation’s pages.');

/** Converts a valid list of navigation.yaml into entries, recursively. */
export const readNavigation = (written: readonly (string | WrittenEntry)[]): NavigationEntry[] =>
  written.map((entry) => {
    if (typeof entry === 'string') return { kind: 'page', slug: slugOf(`docs/${entry}`), title: null };
    const slug = entry.page === undefined ? null : slugOf(`docs/${entry.page}`);
    if (entry.pages !== undefined) {
      return { kind: 'group', title: entry.title ?? null, slug, entries: readNavigation(entry.pages) };
    }
    if (slug !== null) return { kind: 'page', slug, title: entry.title ?? null };
    return { kind: 'link', title: entry.title ?? '', href: entry.href ?? '' };
  });

/** Maximum nesting of groups; a deeper menu helps nobody. */
const maxDepth = 4;

/** Returns the faults of navigation.yaml: pages that do not exist or are listed twice, and entries with keys that exclude each other. */
export function navigationFaults(document: YamlDocument, slugs: ReadonlySet<string>, suggest: Suggest): Fault[] {
  const faults: Fault[] = [];
  const seen = new Map<string, Path>();
  const say = (path: Path, message: string) => faults.push({ file: document.file, ...document.at(path), message });
  const lookAtPage = (path: Path, written: unknown) => {
    if (typeof written !== 'string' || !pageName.safeParse(written).success) return;
    const slug = slugOf(`docs/${written}`);
    const before = seen.get(slug);
    if (!slugs.has(slug)) say(path, `there is no page \`${written}\`.${didYouMean(suggest(slug, slugs))}`);
    else if (before === undefined) seen.set(slug, path);
    else say(path, `\`${written}\` is listed twice; line ${document.at(before).line} has it too.`);
  };
  const lookAt = (path: Path, depth: number) => {
    const list = valueAt(document.value, path);
    if (!Array.isArray(list)) return;
    for (const [index, entry] of list.entries()) {
      const at = [...path, index];
      if (typeof entry === 'string') lookAtPage(at, entry);
      if (typeof entry !== 'object' || entry === null) continue;
      const has = (key: string) => valueAt(entry, [key]) !== undefined;
      if (has('href') && (has('page') || has('pages'))) say(at, '`href` cannot be combined with `page` or `pages`.');
      if (has('href') && !has('title')) say(at, '`title` is missing: a link needs the words that the menu shows.');
      if (has('pages') && !has('page') && !has('title')) say(at, '`title` is missing: a group needs one, or a `page`.');
      if (!has('href') && !has('page') && !has('pages')) say(at, 'add a `page`, an `href` or `pages`.');
      lookAtPage([...at, 'page'], valueAt(entry, ['page']));
      if (has('pages') && depth >= maxDepth) say(at, `groups may be ${maxDepth} deep.`);
      else lookAt([...at, 'pages'], depth + 1);
    }
  };
  lookAt(['pages'], 1);
  return faults;
}

/** The part of a page that its order depends on. */
interface OrderedPage {
  readonly slug: string;
  readonly order: number | null;
}

/** Creates the navigation from folders: pages by `order`, then by file name; a folder is where its first page would be. */
export function folderNavigation(pages: readonly OrderedPage[]): NavigationEntry[] {
  const sorted = [...pages].sort((a, b) => orderOf(a) - orderOf(b) || compare(a.slug, b.slug));
  const folders = foldersOf(sorted);
  const top: NavigationEntry[] = [];
  const groups = new Map<string, NavigationEntry[]>([['', top]]);
  const own = new Map(
    sorted.filter(({ slug }) => folders.has(slug)).map((folderPage) => [folderPage.slug, folderPage]),
  );
  const entriesIn = (folder: string): NavigationEntry[] => {
    const group = groups.get(folder);
    if (group !== undefined) return group;
    const entries: NavigationEntry[] = [];
    groups.set(folder, entries);
    const slug = own.has(folder) ? folder : null;
    entriesIn(parentOf(folder)).push({ kind: 'group', title: slug === null ? nameOf(folder) : null, slug, entries });
    return entries;
  };
  for (const { slug } of sorted) {
    if (folders.has(slug)) entriesIn(slug);
    else if (slug === rootSlug) top.unshift({ kind: 'page', slug, title: null });
    else entriesIn(parentOf(slug)).push({ kind: 'page', slug, title: null });
  }
  return top;
}

const orderOf = ({ order }: OrderedPage): number => order ?? Number.POSITIVE_INFINITY;

const parentOf = (slug: string): string => slug.slice(0, Math.max(0, slug.lastIndexOf('/')));

/** Returns every folder that a page is in, at any depth. */
function foldersOf(pages: readonly OrderedPage[]): Set<string> {
  const folders = new Set<string>();
  for (const { slug } of pages) {
    for (let folder = parentOf(slug); folder !== '' && !folders.has(folder); folder = parentOf(folder)) {
      folders.add(folder);
    }
  }
  return folders;
}

/** Returns the title of a folder: "Privacy policy" for `privacy-policy`. */
function nameOf(folder: string): string {
  const words = folder.slice(folder.lastIndexOf('/') + 1).replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Returns the slugs of all entries in reading order. */
export const slugsOf = (entries: readonly NavigationEntry[]): string[] =>
  entries.flatMap((entry) => {
    if (entry.kind === 'page') return [entry.slug];
    if (entry.kind === 'link') return [];
    return [...(entry.slug === null ? [] : [entry.slug]), ...slugsOf(entry.entries)];
  });
