/** Where one can go: the site's own links, the documentation in its order, and the developer portal. */
import { isNone } from '../base/none.ts';
import type { Page } from '../content/content.ts';
import type { Operation, Tag } from '../operations/operation.ts';
import { wordsOf } from './language.ts';
import { productOf, type Site } from './site.ts';
import { nameInWords } from './words.ts';

export interface Destination {
  readonly title: string;
  readonly href: string;
}

/** A list with a heading, which may lead somewhere itself; the first one has none. */
export interface Group {
  readonly title: string | null;
  readonly href?: string;
  readonly links: readonly (Destination & { readonly within?: readonly Destination[] })[];
}

/** The links at the top of every page: the vendor's choice, or what the site has. */
export function siteLinks(site: Site): readonly Destination[] {
  const { navigation } = productOf(site);
  if (navigation !== undefined) return navigation;
  return destinations(site, 'menu');
}

/** The links of every resource in one of the places that has them. */
export function destinations(site: Site, where: 'menu' | 'foot'): readonly Destination[] {
  const words = wordsOf(site);
  return site.published
    .flatMap(({ navigation }) => (isNone(navigation) || navigation.isThere?.(site) === false ? [] : [navigation]))
    .toSorted((a, b) => a.place - b.place)
    .flatMap(({ href, [where]: title }) => (title === null ? [] : [{ title: title(words), href }]));
}

export interface Folder {
  /** Null for the pages that lie in none. */
  readonly title: string | null;
  /** The page of the folder's own name, which stands for it. */
  readonly own: Page | null;
  /** The others. */
  readonly pages: readonly Page[];
}

/** Pages by folder: those in none first, then each folder where its first page stands. */
export function pagesByFolder(pages: readonly Page[]): Folder[] {
  const members = new Map<string, Page[]>([['', []]]);
  for (const page of pages) members.set(folderOf(page), [...(members.get(folderOf(page)) ?? []), page]);
  return [...members].flatMap(([folder, inside]) => {
    const own = pages.find(({ slug }) => slug === folder) ?? null;
    const others = inside.filter(({ slug }) => !members.has(slug));
    const name = nameInWords(folder.slice(folder.lastIndexOf('/') + 1));
    const title = folder === '' ? null : (own?.title ?? name);
    return own === null && others.length === 0 ? [] : [{ title, own, pages: others }];
  });
}

const folderOf = ({ slug }: Page): string => (slug.includes('/') ? slug.slice(0, slug.lastIndexOf('/')) : '');

/** A folder's own page, then the others. */
export const pagesOf = ({ own, pages }: Folder): readonly Page[] => (own === null ? pages : [own, ...pages]);

const pageLink = ({ title, slug }: Page): Destination => ({ title, href: `/docs/${slug}` });

export const docsNavigation = (site: Site): Group[] =>
  pagesByFolder(site.catalog.content.pages).map(({ title, own, pages }) => ({
    title,
    ...(own !== null && { href: pageLink(own).href }),
    links: pages.map(pageLink),
  }));

/** The pages before and after one, in the order in which the navigation has them. */
export function neighbours(pages: readonly Page[], slug: string): { previous: Page | null; next: Page | null } {
  const inOrder = pagesByFolder(pages).flatMap(pagesOf);
  const at = inOrder.findIndex((page) => page.slug === slug);
  return { previous: inOrder[at - 1] ?? null, next: inOrder[at + 1] ?? null };
}

/** The tags that operations have, in their order, each with its page of the reference. */
export function referenceTags(operations: readonly Operation[]): { tag: Tag; href: string; operations: Operation[] }[] {
  const tags = new Map<Tag, Operation[]>();
  for (const operation of operations) tags.set(operation.tag, [...(tags.get(operation.tag) ?? []), operation]);
  return [...tags].map(([tag, members]) => ({ tag, href: referencePath(tag), operations: members }));
}

const referencePath = (tag: Tag): string => `/developers/reference/${tag.toLowerCase()}`;

/** Where the reference describes an operation. */
export const operationPath = ({ tag, id }: Pick<Operation, 'tag' | 'id'>): string => `${referencePath(tag)}#${id}`;

export function developersNavigation(site: Site): Group[] {
  return [
    {
      title: null,
      links: [
        { title: 'Get started', href: '/developers' },
        { title: 'Errors', href: '/developers/errors' },
        { title: 'Versioning', href: '/developers/versioning' },
        { title: 'Changelog', href: '/developers/changelog' },
      ],
    },
    {
      title: 'Reference',
      links: [
        { title: 'Overview', href: '/developers/reference' },
        ...referenceTags(site.operations).map(({ tag, href, operations }) => ({
          title: tag,
          href,
          within: operations.map((operation) => ({ title: operation.summary, href: operationPath(operation) })),
        })),
      ],
    },
  ];
}
