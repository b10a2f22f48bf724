/** Documentation: the index of pages, and one page with its markdown. */

import { z } from 'zod';
import type { ApiError } from '../base/api-error.ts';
import { listLimit } from '../base/request-limits.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { SortKey } from '../catalog/cursor.ts';
import { selectPage } from '../catalog/paging.ts';
import type { Page } from '../content/content.ts';
import { createAbsoluteLink, getDocPath } from '../markdown/links.ts';
import { relink } from '../markdown/markdown.ts';
import { listSections } from '../search/pages.ts';
import { call } from './call.ts';
import type { ExportSource } from './exports.ts';
import { createLimitSchema, createUnknownNameError, cursorInput } from './input.ts';
import { joinBlocks, writeMoreLine } from './markdown.ts';
import { defineOperation } from './operation.ts';
import { createKindSchema, createListSchema, listBody, object, objects, text } from './schemas.ts';
import type { Searchable } from './searchable.ts';

const entryFields = {
  object: createKindSchema('doc'),
  slug: text(256, 'The page’s name: its path after `/docs/`.'),
  title: text(100, 'The page’s title.'),
  description: text(200, 'One or two sentences.'),
  url: z.url().describe('The page for people.'),
  markdown_url: z.url().describe('The page as markdown.'),
  order: z.int().min(0).max(100_000).describe('The page’s place in reading order.'),
  updated_at: z.iso.date().nullable().describe('The date of the last change, or null if unknown.'),
};

const docEntrySchema = z.object(entryFields).describe('A documentation page in the index.');

const docSchema = object('A documentation page.', {
  ...entryFields,
  markdown: z.string().max(4_194_304).describe('The page’s text, without front matter, with absolute links.'),
  headings: objects('The page’s headings, in order.', 10_000, {
    level: z.int().min(1).max(6).describe('1 to 6, as in HTML.'),
    text: z.string().max(1000).describe('The heading without markup.'),
    anchor: z.string().max(1000).describe('The fragment of `url` that links to it.'),
  }),
  word_count: z.int().min(0).max(1_000_000).describe('The number of words in the page’s text.'),
});

/** The operation that lists the documentation pages in reading order. */
export const listDocs = defineOperation({
  id: 'listDocs',
  path: '/docs',
  tag: 'Documentation',
  summary: 'List documentation pages',
  description: 'The index of the documentation, in reading order.',
  errors: ['invalid_request', 'invalid_cursor'],
  scope: 'read:docs',
  examples: [{ summary: 'The first pages', input: { limit: 2 } }],
  input: z.object({ limit: createLimitSchema(listLimit), cursor: cursorInput }),
  output: createListSchema(docEntrySchema),
  outputName: 'DocList',
  components: { DocEntry: docEntrySchema },
  run({ catalog, cursors, siteRoot }, { limit, cursor }) {
    const page = selectPage(catalog.content.pages, {
      limit,
      after: cursor === undefined ? null : findSortKey(catalog, cursors.read('docs', null, cursor)),
      getKey: ({ order, slug }) => [order, slug],
      compare: ([a = 0], [b = 0]) => Number(a) - Number(b),
    });
    const next = page.hasMore && page.lastKey ? cursors.issue('docs', null, page.lastKey) : null;
    return listBody(
      page.items.map((item) => createDocEntry(siteRoot, item)),
      limit,
      next,
    );
  },
  markdown: ({ data, pagination }, context) =>
    joinBlocks(
      `# ${context.catalog.content.product.name} documentation`,
      data.map(({ title, description, markdown_url }) => `- [${title}](${markdown_url}): ${description}`).join('\n'),
      writeMoreLine(pagination.next_cursor),
    ),
});

/** The operation that returns one documentation page by its slug. */
export const getDoc = defineOperation({
  id: 'getDoc',
  path: '/docs/{slug}',
  tag: 'Documentation',
  summary: 'Get a documentation page',
  description:
    'One page: its markdown and metadata. Slashes in a slug can be sent as they are or as `%2F`. With `Accept: text/markdown`, the response is the page’s text.',
  errors: ['not_found'],
  scope: 'read:docs',
  examples: [{ summary: 'The quickstart', input: { slug: 'quickstart' } }],
  input: z.object({ slug: z.string().meta({ maxLength: 256 }).describe('The page’s slug, such as `quickstart`.') }),
  output: docSchema,
  outputName: 'Doc',
  exampleInput: ({ content }) => {
    const [shortest] = content.pages.toSorted((a, b) => a.wordCount - b.wordCount);
    return shortest === undefined ? {} : { slug: shortest.slug };
  },
  run({ catalog, siteRoot, apiRoot }, { slug }) {
    const page = catalog.page(slug);
    if (page === undefined) throw createUnknownPageError(slug, catalog.slugs, apiRoot);
    return {
      ...createDocEntry(siteRoot, page),
      markdown: writeAbsoluteMarkdown(siteRoot, page),
      headings: page.headings.map(({ level, text, anchor }) => ({ level, text, anchor })),
      word_count: page.wordCount,
    };
  },
  markdown: ({ title, markdown, url, updated_at }) =>
    joinBlocks(
      `# ${title}`,
      markdown.trim(),
      `Source: <${url}>${updated_at === null ? '' : `, updated ${updated_at}`}.`,
    ),
});

/** The documentation pages as a kind of item that search finds. */
export const docsSearch: Searchable = {
  kind: 'doc',
  isDocumentation: true,
  *documents({ content }) {
    for (const { slug, title, description, sections, isSearchable } of content.pages) {
      if (isSearchable)
        yield { key: slug, title, titleIs: 'page', sections: listSections(title, description, sections) };
    }
  },
  path: (slug) => getDocUrl('', slug),
  parameter: 'slug',
  item: getDoc,
  input: (slug) => ({ slug }),
  keys: ({ content }) => content.pages.map(({ slug }) => slug),
  reading: ({ title, markdown }) => ({ title: String(title), text: String(markdown) }),
};

/** The source of exports of the documentation pages, in reading order. */
export const docsExport: ExportSource = {
  called: 'documentation pages',
  isEmpty: ({ content }) => content.pages.length === 0,
  items: (context) =>
    context.catalog.content.pages.map((page) => async () => {
      const { slug, title, description, order, updated } = page;
      const { siteRoot } = context;
      const { body } = await call(getDoc, context, { slug });
      const frontMatter = { title, description, order, updated, slug, url: getDocUrl(siteRoot, slug) };
      return { body, frontMatter, text: writeAbsoluteMarkdown(siteRoot, page) };
    }),
};

/**
 * Creates `not_found` with at most three of `slugs`, those of all pages, that are similar: "No page `quikstart`. Did you mean
 * `quickstart`?"
 */
export const createUnknownPageError = (slug: string, slugs: readonly string[], apiRoot: string): ApiError =>
  createUnknownNameError('page', slug, slugs, `GET ${apiRoot}/docs lists every page.`);

/**
 * Returns the sort key, order and slug, after which the list continues: that of the cursor's page at its place now, because pages
 * move when others are added. If the page is gone, that is the order before its old one.
 */
function findSortKey({ page }: Catalog, [order = 0, slug = '']: SortKey): SortKey {
  const now = page(String(slug));
  return now === undefined ? [Number(order) - 1, slug] : [now.order, now.slug];
}

/** Returns the URL of a documentation page, or its path if `siteRoot` is empty. */
export const getDocUrl = (siteRoot: string, slug: string): string => siteRoot + getDocPath(slug);

function createDocEntry(siteRoot: string, page: Page): z.input<typeof docEntrySchema> {
  const url = getDocUrl(siteRoot, page.slug);
  const { slug, title, description, order, updated } = page;
  return { object: 'doc', slug, title, description, url, markdown_url: `${url}.md`, order, updated_at: updated };
}

/** Returns a page's markdown without its front matter, with absolute links. A heading that repeats the title stays in it. */
export const writeAbsoluteMarkdown = (siteRoot: string, page: Page): string =>
  relink(page.markdown, page.links, createAbsoluteLink(siteRoot, page.file));
