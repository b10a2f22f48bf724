/** navigation.yaml: its shape, and the entries that it stands for. */
import { z } from 'zod';
import { slugOf } from '../markdown/links.ts';

/** A page, a link elsewhere, or a group, which may be a page itself. */
export type NavigationEntry =
  | { readonly kind: 'page'; readonly slug: string; readonly title: string | null }
  | { readonly kind: 'link'; readonly title: string; readonly href: string }
  | {
      readonly kind: 'group';
      /** Null where its page gives it. */
      readonly title: string | null;
      readonly slug: string | null;
      readonly entries: readonly NavigationEntry[];
    };

const title = z.string().trim().min(1).max(100);
export const pageName = z
  .string()
  .regex(/^[a-z0-9-]+(\/[a-zA-Z0-9-]+)*(\.md)?$/, 'must be a slug or a file below docs/, such as `guides/setup`')
  .max(256);

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

export const navigationSchema = z
  .strictObject({
    pages: z
      .array(entrySchema)
      .min(1)
      .describe('Pages and groups in reading order. A page that is left out is served, but no menu shows it.'),
  })
  .partial()
  .describe('The order and the groups of the documentation’s pages.');

/** Of a valid list. */
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
