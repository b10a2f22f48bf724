/** The old navigation as navigation.yaml: pages that were imported, each once, in groups that are not too deep. */
import { rootSlug } from 'colophon/authoring';
import type { LinkResolver } from './links.ts';
import type { PlacedPage } from './places.ts';
import type { Entry } from './site.ts';

export type WrittenEntry = string | { title?: string; page?: string; href?: string; pages?: WrittenEntry[] };

/** Groups in groups, as many as a navigation may have. */
const deepest = 4;

export interface NavigationInput {
  readonly entries: readonly Entry[];
  readonly pages: ReadonlyMap<string, PlacedPage>;
  readonly titles: ReadonlyMap<string, string>;
  /** What the menu calls a page, where that is not its title. */
  readonly labels: ReadonlyMap<string, string>;
  /** Called with each entry that leads nowhere. */
  lost(title: string, href: string): void;
  readonly resolver: LinkResolver;
}

export function newNavigation({ entries, pages, titles, labels, resolver, lost }: NavigationInput): WrittenEntry[] {
  const seen = new Set<string>();

  const take = (file: string | null): string | null => {
    const slug = file === null ? undefined : pages.get(file)?.slug;
    if (slug === undefined || seen.has(slug)) return null;
    seen.add(slug);
    return slug;
  };
  const pageEntry = (file: string, title: string | null): WrittenEntry[] => {
    const slug = take(file);
    if (slug === null) return [];
    const named = title ?? labels.get(file);
    const label = named === undefined || named === titles.get(file) ? undefined : shortened(named);
    return [label === undefined ? slug : { title: label, page: slug }];
  };
  const linkEntry = (title: string, href: string): WrittenEntry[] => {
    if (/^https?:\/\//i.test(href)) return /^\S{1,500}$/.test(href) ? [{ title: shortened(title), href }] : [];
    const page = resolver.pageAt(href.split('#')[0] ?? '');
    if (page !== null) return pageEntry(page.page.file, title);
    lost(title, href);
    return [];
  };
  const groupEntry = (group: Extract<Entry, { kind: 'group' }>, depth: number): WrittenEntry[] => {
    const slug = take(group.file);
    const inner = write(group.entries, depth + 1);
    if (inner.length === 0) return slug === null ? [] : [slug];
    if (depth >= deepest) return [...(slug === null ? [] : [slug]), ...inner];
    const title = group.title ?? (slug === null ? 'More' : undefined);
    const label =
      title === undefined || (slug !== null && title === titles.get(group.file ?? ''))
        ? {}
        : { title: shortened(title) };
    return [{ ...label, ...(slug !== null && { page: slug }), pages: inner }];
  };
  const write = (list: readonly Entry[], depth: number): WrittenEntry[] =>
    list.flatMap((entry) => {
      if (entry.kind === 'page') return pageEntry(entry.file, entry.title);
      if (entry.kind === 'link') return linkEntry(entry.title, entry.href);
      return groupEntry(entry, depth);
    });
  const written = write(entries, 1);
  return written.filter((entry) => entry !== rootSlug || written.length > 1);
}

const shortened = (title: string): string => {
  const plain = title.replace(/\s+/g, ' ').trim();
  return (plain.length > 100 ? `${plain.slice(0, 99).trimEnd()}…` : plain) || 'Untitled';
};
