/** Where one can go: the site's own links, the documentation in its order, and the developer portal. */
import type { Page } from '../content/content.ts';
import type { Operation, Tag } from '../operations/operation.ts';
import { productOf, type Site } from './site.ts';
import { nameInWords } from './words.ts';

export interface Destination {
  readonly title: string;
  readonly href: string;
}

/** A list with a heading; the first one has none. */
export interface Group {
  readonly title: string | null;
  readonly links: readonly (Destination & { readonly within?: readonly Destination[] })[];
}

/** The links at the top of every page: the vendor's choice, or what the site has. */
export function siteLinks(site: Site): readonly Destination[] {
  const { navigation } = productOf(site);
  if (navigation !== undefined) return navigation;
  const { pages, faq } = site.catalog.content;
  return [
    ...(pages.length > 0 ? [{ title: 'Documentation', href: '/docs' }] : []),
    ...(faq.length > 0 ? [{ title: 'FAQ', href: '/faq' }] : []),
    { title: 'Pricing', href: '/pricing' },
    { title: 'Releases', href: '/releases' },
    { title: 'Developers', href: '/developers' },
  ];
}

/** Pages by folder: those at the top first in each place, a folder where its first page stands. */
export function pagesByFolder(pages: readonly Page[]): { folder: string; title: string | null; pages: Page[] }[] {
  const groups = new Map<string, Page[]>([['', []]]);
  for (const page of pages) {
    const folder = page.slug.includes('/') ? page.slug.slice(0, page.slug.lastIndexOf('/')) : '';
    groups.set(folder, [...(groups.get(folder) ?? []), page]);
  }
  return [...groups]
    .filter(([, members]) => members.length > 0)
    .map(([folder, members]) => ({ folder, title: folderTitle(folder, pages), pages: members }));
}

/** The page of the same name stands for its folder. */
function folderTitle(folder: string, pages: readonly Page[]): string | null {
  if (folder === '') return null;
  return pages.find(({ slug }) => slug === folder)?.title ?? nameInWords(folder.slice(folder.lastIndexOf('/') + 1));
}

export const docsNavigation = (site: Site): Group[] =>
  pagesByFolder(site.catalog.content.pages).map(({ title, pages }) => ({
    title,
    links: pages.map((page) => ({ title: page.title, href: `/docs/${page.slug}` })),
  }));

/** The pages before and after one, in the order in which the navigation has them. */
export function neighbours(pages: readonly Page[], slug: string): { previous: Page | null; next: Page | null } {
  const inOrder = pagesByFolder(pages).flatMap((group) => group.pages);
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
