/** Search over everything that the resources add to it. */
import { z } from 'zod';
import type { Content } from '../content/content.ts';
import type { SearchHit } from '../search/search.ts';
import { characters, cursorInput, limitInput } from './input.ts';
import { listBody, listOf } from './list.ts';
import { document, moreLine } from './markdown.ts';
import { defineOperation } from './operation.ts';
import type { Searchable } from './searchable.ts';
import { text } from './text.ts';

const resultSchema = (kinds: readonly string[]) =>
  z
    .object({
      object: z.enum(kinds).describe('The kind of thing found.'),
      score: z.number().min(0).describe('Higher is better; comparable only within one response.'),
      title: text(200, 'The page’s title, or the question.'),
      excerpt: z.string().max(1000).describe('Plain text around the best match, with the matched words in `**bold**`.'),
      url: z.url().describe('For people.'),
      markdown_url: z.url().describe('As markdown.'),
      slug: text(256, 'The page’s slug; absent on a FAQ entry.').optional(),
      id: text(64, 'The FAQ entry’s id; absent on a page.').optional(),
    })
    .describe('A page or a FAQ entry that matches.');

export type Search = ReturnType<typeof searchOperation>;

/** `searched`: what is searched, in the order in which the contract names its kinds. */
export function searchOperation(searched: readonly Searchable[]) {
  const byKind = new Map(searched.map((searchable) => [searchable.kind, searchable]));
  const kinds = [...byKind.keys()];
  const result = resultSchema(kinds);
  return defineOperation({
    id: 'search',
    method: 'GET',
    path: '/search',
    tag: 'Search',
    summary: 'Search the documentation and FAQ',
    description:
      'Full-text search, best match first. Words are matched by their stem, the last one also by its beginning; words in double quotes are matched as a phrase. When nothing matches, the nearest words are tried and `searched_for` names them.',
    status: 200,
    errors: ['invalid_request', 'invalid_cursor'],
    scope: 'read:docs',
    tokenRequired: false,
    needsFeed: false,
    prepared: true,
    examples: [{ summary: 'A word', input: { q: 'sandbox', limit: 2 } }],
    input: z.object({
      q: characters(2, 200)
        .meta({ 'x-hint': 'send 2 to 200 characters to search for', examples: ['microphone'] })
        .describe('What to search for, 2 to 200 characters.'),
      limit: limitInput(50, 10),
      cursor: cursorInput,
      type: z.enum(kinds).optional().describe('Only pages, or only FAQ entries; both when left out.'),
    }),
    output: listOf(result).extend({
      searched_for: text(200, 'What was searched instead, when nothing matched `q` as it was sent.').optional(),
    }),
    outputName: 'SearchResultList',
    components: { SearchResult: result },
    exampleInput: ({ content }) => ({ q: searchWord(content) }),
    run({ catalog, cursors, service }, { q, limit, cursor, type }) {
      const filter = { q, type: type ?? null };
      const [score, kind, key] = cursor === undefined ? [] : cursors.read('search', filter, cursor);
      const found = catalog.search.search(q, {
        ...(type !== undefined && { kind: type }),
        limit,
        ...(score !== undefined && { after: { score: Number(score), kind: String(kind), key: String(key) } }),
      });
      const next = found.next && cursors.issue('search', filter, [found.next.score, found.next.kind, found.next.key]);
      return {
        ...listBody(
          found.hits.map((hit) => resultBody(service.baseUrl, byKind.get(hit.kind), hit)),
          limit,
          next,
        ),
        ...(found.searchedFor !== null && { searched_for: found.searchedFor }),
      };
    },
    markdown: ({ data, pagination, searched_for }) =>
      document(
        '# Search results',
        searched_for !== undefined && `Nothing matched as asked; these match \`${searched_for}\`.`,
        data.length === 0 && 'Nothing matches.',
        ...data.map(({ title, excerpt, markdown_url }) => `## [${title}](${markdown_url})\n\n${excerpt}`),
        moreLine(pagination.next_cursor),
      ),
  });
}

function resultBody(
  baseUrl: string,
  searchable: Searchable | undefined,
  { kind, key, title, score, excerpt }: SearchHit,
): z.input<ReturnType<typeof resultSchema>> {
  if (searchable === undefined) throw new Error(`the index has the unknown kind ${kind}`);
  const url = baseUrl + searchable.path(key);
  return { object: kind, score, title, excerpt, url, markdown_url: `${url}.md`, [searchable.parameter]: key };
}

/** A word that the product's own pages have. */
function searchWord({ pages, product }: Content): string {
  const words = pages.flatMap(({ title }) => title.split(/\s+/)).filter((word) => /^\p{L}{5,20}$/u.test(word));
  return (words[1] ?? words[0] ?? product.name).toLowerCase();
}
