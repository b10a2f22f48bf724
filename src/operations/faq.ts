/** Frequently asked questions: the list, and one entry. */

import { z } from 'zod';
import type { ApiError } from '../base/api-error.ts';
import { listLimit } from '../base/request-limits.ts';
import type { SortKey } from '../catalog/cursor.ts';
import { selectPage } from '../catalog/paging.ts';
import type { Content } from '../content/content.ts';
import { createAbsoluteLink } from '../markdown/links.ts';
import { relink } from '../markdown/markdown.ts';
import type { Context } from './context.ts';
import type { ExportSource } from './exports.ts';
import { createLimitSchema, createUnknownNameError, cursorInput } from './input.ts';
import { joinBlocks, writeMoreLine } from './markdown.ts';
import { defineOperation } from './operation.ts';
import { createKindSchema, createListSchema, listBody, object, text } from './schemas.ts';
import type { Searchable } from './searchable.ts';

const faqSchema = object('A frequently asked question and its answer.', {
  object: createKindSchema('faq'),
  id: text(64, 'The entry’s ID.'),
  question: text(200, 'The question.'),
  answer: text(16_384, 'Markdown, with absolute links.'),
  category: text(60, 'The group that it is listed in.'),
  url: z.url().describe('The entry for people.'),
  markdown_url: z.url().describe('The entry as markdown.'),
});

/** The operation that lists the questions and answers in the vendor's order. */
export const listFaq = defineOperation({
  id: 'listFaq',
  path: '/faq',
  tag: 'Documentation',
  summary: 'List frequently asked questions',
  description: 'Questions and answers, in the vendor’s order.',
  errors: ['invalid_request', 'invalid_cursor'],
  scope: 'read:faq',
  examples: [{ summary: 'The first questions', input: { limit: 1 } }],
  input: z.object({ limit: createLimitSchema(listLimit), cursor: cursorInput }),
  output: createListSchema(faqSchema),
  outputName: 'FaqList',
  run({ catalog, cursors, siteRoot }, { limit, cursor }) {
    const entries = catalog.content.faq;
    const page = selectPage(entries, {
      limit,
      after: cursor === undefined ? null : findSortKey(entries, cursors.read('faq', null, cursor)),
      getKey: (entry) => [entries.indexOf(entry), entry.id],
      compare: ([a = 0], [b = 0]) => Number(a) - Number(b),
    });
    const next = page.hasMore && page.lastKey ? cursors.issue('faq', null, page.lastKey) : null;
    return listBody(
      page.items.map((entry) => createFaqBody(siteRoot, entry)),
      limit,
      next,
    );
  },
  markdown: ({ data, pagination }, context) =>
    joinBlocks(
      `# ${context.catalog.content.product.name}: frequently asked questions`,
      ...data.map(({ question, answer }) => `## ${question}\n\n${answer.trim()}`),
      writeMoreLine(pagination.next_cursor),
    ),
});

/** The operation that returns one question with its answer by its ID. */
export const getFaqEntry = defineOperation({
  id: 'getFaqEntry',
  path: '/faq/{id}',
  tag: 'Documentation',
  summary: 'Get a frequently asked question',
  description: 'One question with its answer, by ID.',
  errors: ['not_found'],
  scope: 'read:faq',
  examples: [{ summary: 'One entry', input: { id: 'is-this-real-data' } }],
  input: z.object({ id: z.string().meta({ maxLength: 64 }).describe('The entry’s ID.') }),
  output: faqSchema,
  outputName: 'Faq',
  exampleInput: ({ faqIds: [id] }) => (id === undefined ? {} : { id }),
  run({ catalog, siteRoot, apiRoot }, { id }) {
    const entry = catalog.faqEntry(id);
    if (entry !== undefined) return createFaqBody(siteRoot, entry);
    throw createUnknownEntryError({ catalog, apiRoot }, id);
  },
  markdown: ({ question, answer, url }) => joinBlocks(`# ${question}`, answer.trim(), `Source: <${url}>.`),
});

/** The questions and answers as a kind of item that search finds. */
export const faqSearch: Searchable = {
  kind: 'faq',
  isDocumentation: true,
  documents: ({ content }) =>
    content.faq.map(({ id, question, category, text: answer }) => ({
      key: id,
      title: question,
      titleIs: 'heading',
      sections: [{ heading: null, anchor: null, parents: [category], text: answer, code: '', linkShare: 0 }],
    })),
  path: (id) => `/faq/${id}`,
  parameter: 'id',
  item: getFaqEntry,
  input: (id) => ({ id }),
  keys: ({ content }) => content.faq.map(({ id }) => id),
  reading: ({ question, answer }) => ({ title: String(question), text: String(answer) }),
};

/** The source of exports of the questions and answers, in the vendor's order. */
export const faqExport: ExportSource = {
  called: 'frequently asked questions',
  isEmpty: ({ content }) => content.faq.length === 0,
  items: ({ catalog, siteRoot }) =>
    catalog.content.faq.map((entry) => () => {
      const body = createFaqBody(siteRoot, entry);
      const { id, question, category, url, answer } = body;
      return { body, frontMatter: { id, question, category, url }, text: answer };
    }),
};

/** Creates `not_found` for an id that no entry of the FAQ has, with at most three similar ids of entries. */
export const createUnknownEntryError = (
  { catalog, apiRoot }: Pick<Context, 'catalog' | 'apiRoot'>,
  id: string,
): ApiError => createUnknownNameError('FAQ entry', id, catalog.faqIds, `GET ${apiRoot}/faq lists every entry.`);

/** Returns the markdown of an entry's answer with absolute links. */
export const getAnswerMarkdown = (siteRoot: string, { markdown, links }: Content['faq'][number]): string =>
  relink(markdown, links, createAbsoluteLink(siteRoot, null));

/** Returns the response body of a question and its answer. `siteRoot` is the URL of the site that has its page. */
export function createFaqBody(siteRoot: string, entry: Content['faq'][number]): z.input<typeof faqSchema> {
  const url = `${siteRoot}/faq/${entry.id}`;
  return {
    object: 'faq',
    id: entry.id,
    question: entry.question,
    answer: getAnswerMarkdown(siteRoot, entry),
    category: entry.category,
    url,
    markdown_url: `${url}.md`,
  };
}

/**
 * Returns the sort key, place and id, after which the list continues: that of the cursor's entry at its place now, because the
 * vendor may reorder the list. If the entry is gone, that is the place before its old one.
 */
function findSortKey(entries: Content['faq'], [place = 0, id = '']: SortKey): SortKey {
  const now = entries.findIndex((entry) => entry.id === id);
  return now === -1 ? [Number(place) - 1, id] : [now, id];
}
