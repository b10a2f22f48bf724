/** The search operation over everything that the resources add to it. */

import { z } from 'zod';
import { ApiError } from '../base/api-error.ts';
import { writeCodes } from '../base/list-in-words.ts';
import { queryLength, searchLimit } from '../base/request-limits.ts';
import type { Content } from '../content/content.ts';
import type { SearchHit, SearchIndex } from '../search/search.ts';
import { findAnswer, listAnswers } from './answer.ts';
import { createLimitSchema, cursorInput, queryInput } from './input.ts';
import { joinBlocks, writeMoreLine } from './markdown.ts';
import { defineOperation } from './operation.ts';
import { createListSchema, listBody, object, text } from './schemas.ts';
import { getMarkdownPath, type Searchable } from './searchable.ts';

const createResultSchema = (kinds: readonly Searchable['kind'][]) =>
  object('Something that matches.', {
    object: z.enum(kinds).describe('The kind of thing found.'),
    score: z.number().min(0).describe('Higher is better; comparable within one response only.'),
    title: text(200, 'The page’s title, the question, or the name.'),
    section: text(
      1000,
      'The heading of the section that matches; null for the introduction, and for what has no sections.',
    ).nullable(),
    excerpt: z.string().max(1000).describe('A sentence or two of plain text, with the matched words in `**bold**`.'),
    url: z.url().describe('The page, for people.'),
    section_url: z.url().describe('The place on that page that matches.'),
    markdown_url: z.url().describe('The page as markdown.'),
    slug: text(256, 'The page’s slug, on `doc` and `reference`.').optional(),
    id: text(128, 'The ID of the FAQ entry, plan or feature, or the version of the release.').optional(),
  });

/** The search operation as `searchOperation` returns it: an `Operation` whose `output` keeps the type of its Zod schema. */
export type Search = ReturnType<typeof searchOperation>;

/**
 * Creates the search operation, whose `output` keeps the type of its Zod schema. `searchables` has everything that can be searched,
 * in the contract's order of kinds; `byDefault` selects what is searched without `type`.
 */
export function searchOperation(searchables: readonly Searchable[], byDefault: (searchable: Searchable) => boolean) {
  const byKind = new Map(searchables.map((searchable) => [searchable.kind, searchable]));
  const kinds = [...byKind.keys()];
  const preset = searchables.filter(byDefault).map(({ kind }) => kind);
  const optional = kinds.filter((kind) => !preset.includes(kind));
  const result = createResultSchema(kinds);
  const output = createListSchema(result).extend({
    searched_for: text(1000, 'The query that was used, when a word of `q` was corrected or translated.').optional(),
    documentation_language: text(
      64,
      'The language of the documentation (BCP 47), when nothing matches or `q` has words of another language.',
    ).optional(),
  });
  const operation = defineOperation({
    id: 'search',
    path: '/search',
    tag: 'Search',
    summary: 'Search the documentation and FAQ',
    description:
      'Returns the best-matching section of each page, best first. Rare words count more. Words match by their stem and by synonyms; the last word also matches as a prefix, and words in double quotes must occur as written. A word that occurs nowhere is translated from other languages or corrected, and `searched_for` shows the query that was used. A cursor continues the ranking of the first page, up to 600 results, whatever is published in the meantime.',
    errors: ['invalid_request', 'invalid_cursor'],
    scope: 'read:docs',
    // The type `faq` has few results, so the example has no cursor, which would be different on every server.
    examples: [{ summary: 'A word', input: { q: 'sandbox', type: 'faq', limit: 5 } }],
    input: z.object({
      q: queryInput
        .meta({ examples: ['microphone'] })
        .describe(`Text to search for, ${queryLength.min} to ${queryLength.max} characters.`),
      limit: createLimitSchema(searchLimit),
      cursor: cursorInput,
      type: z
        .enum(kinds)
        .optional()
        .describe(
          `Only results of this kind; ${writeCodes(preset, 'and')} when left out, which finds no ${writeCodes(optional, 'or')}.`,
        ),
    }),
    output,
    // A request for a further page continues a search that was counted before.
    searches: ({ q, cursor }, { data }) =>
      typeof q === 'string' && cursor === undefined
        ? { query: q, isFound: Array.isArray(data) && data.length > 0 }
        : null,
    outputName: 'SearchResultList',
    components: { SearchResult: result },
    exampleInput: ({ content }) => ({ q: searchWord(content), type: 'doc' }),
    run({ catalog, cursors, siteRoot }, { q, limit, cursor, type }) {
      const searchedKinds = type === undefined ? preset : kinds.filter((kind) => kind === type);
      const filter = { q, kinds: searchedKinds };
      const options = { kinds: searchedKinds, limit, first: findAnswer(q, listAnswers(catalog))?.documents ?? [] };
      const rest = cursor === undefined ? null : cursors.readBytes('search', filter, cursor);
      const find = (index: SearchIndex) => {
        const results = rest === null ? index.search(q, options) : index.resume(q, rest, options);
        if (results === null) throw new ApiError('invalid_cursor', goneDetail);
        return {
          ...listBody(
            results.hits.map((hit) => createResultBody(siteRoot, byKind.get(hit.kind), hit)),
            limit,
            results.rest && cursors.issueBytes('search', filter, results.rest),
          ),
          ...(results.searchedFor !== null && { searched_for: results.searchedFor }),
          ...((results.isTranslated || results.hits.length === 0) && {
            documentation_language: catalog.content.product.language,
          }),
        };
      };
      const index = catalog.search.open();
      return index instanceof Promise ? index.then(find) : find(index);
    },
    markdown: ({ data, pagination, searched_for, documentation_language: language }) =>
      joinBlocks(
        '# Search results',
        searched_for !== undefined && `Results for \`${searched_for}\`.`,
        data.length === 0 && 'Nothing matches.',
        language !== undefined && nameLanguage(language),
        ...data.map(
          ({ title, section, excerpt, markdown_url }) =>
            `## [${title}](${markdown_url})${section === null ? '' : `: ${section}`}\n\n${excerpt}`,
        ),
        writeMoreLine(pagination.next_cursor),
      ),
  });
  return { ...operation, output };
}

/**
 * Returns a sentence that names the language of a BCP 47 tag: "The documentation is in German." A tag without a name stays as it
 * is; a malformed one throws a RangeError.
 */
export const nameLanguage = (language: string): string =>
  `The documentation is in ${new Intl.DisplayNames('en', { type: 'language' }).of(language)}.`;

const goneDetail =
  'None of the results of this cursor exist any more. Leave `cursor` out to search the current content.';

/**
 * Returns a result as the contract has it, with the URLs of its page, its section and its Markdown, all below `siteRoot`. Throws an
 * Error without `searchable`.
 */
export function createResultBody(
  siteRoot: string,
  searchable: Pick<Searchable, 'path' | 'anchor' | 'parameter'> | undefined,
  { kind, key, title, section, anchor, score, excerpt }: SearchHit,
): z.input<ReturnType<typeof createResultSchema>> {
  if (searchable === undefined) throw new Error(`the index has the unknown kind ${kind}`);
  const path = searchable.path(key);
  const url = siteRoot + path;
  const place = anchor ?? searchable.anchor?.(key) ?? null;
  return {
    object: kind,
    score,
    title,
    section,
    excerpt,
    url,
    section_url: place === null ? url : `${url}#${encodeURIComponent(place)}`,
    markdown_url: siteRoot + getMarkdownPath(path),
    [searchable.parameter]: key,
  };
}

/**
 * Returns, for an example and in lowercase, the second word of 5 to 20 letters in the pages' titles, or the first if there is only
 * one, or the product's name if there is none.
 */
function searchWord({ pages, product }: Content): string {
  const words: string[] = [];
  for (const { title } of pages) {
    words.push(...title.split(/\s+/).filter((word) => /^\p{L}{5,20}$/u.test(word)));
    if (words.length > 1) break;
  }
  return (words[1] ?? words[0] ?? product.name).toLowerCase();
}
