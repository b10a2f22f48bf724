/** The tool `fetch`: returns a page, a FAQ entry or another search result by any of its names, whole or in parts. */
import { z } from 'zod';
import { ApiError } from '../base/api-error.ts';
import { didYouMean, nearMisses } from '../base/near-miss.ts';
import { decodeUri } from '../base/uri.ts';
import { rootSlug } from '../markdown/links.ts';
import type { Context } from '../operations/context.ts';
import { characters, invalidRequest, quote } from '../operations/input.ts';
import { markdownPath, type Searchable } from '../operations/searchable.ts';
import { callOperation, defineTool } from './tool.ts';
import { type SearchScope, whenFeedIsDown } from './tools.ts';

const createOutputSchema = (kinds: readonly string[]) =>
  z.object({
    id: z.string().describe('As search gives it.'),
    title: z.string().describe('Page title or question.'),
    text: z.string().describe('Markdown, whole or the part asked for.'),
    url: z.string().describe('For citing.'),
    metadata: z
      .object({
        type: z.enum(kinds).describe('Kind.'),
        markdown_url: z.string().describe('As markdown.'),
        total_chars: z.int().describe('Length of the whole text.'),
        next_offset: z.int().nullable().describe('Offset of the next part.'),
      })
      .describe('About the text.'),
  });

/** Creates the fetch tool of a server. */
export const fetchTool = ({ server, searched }: Pick<SearchScope, 'server' | 'searched'>) =>
  defineTool({
    name: 'fetch',
    servers: [server],
    title: 'Fetch a page',
    description:
      'One search result as markdown, with its URL to cite. Long pages come in parts: while metadata.next_offset is not null, call again with it as offset.',
    input: z.strictObject({
      id: characters(1, 500)
        .meta({ 'x-hint': 'send the id of a search result, such as doc:quickstart' })
        .describe('id of a search result, slug, or URL.'),
      offset: z.int().min(0).default(0).describe('In characters.'),
      max_chars: z.int().min(500).max(40_000).default(20_000).describe('At most.'),
    }),
    output: createOutputSchema(searched.map(({ kind }) => kind)),
    advice: {
      not_found: 'Call search to find its id.',
      invalid_request: 'Call again with a smaller offset.',
      upstream_unavailable: whenFeedIsDown,
    },
    async handle({ id, offset, max_chars }, context) {
      const { searchable, key } = findItem(searched, id, context);
      const { kind, path, anchor } = searchable;
      const { content: body } = await callOperation(searchable.item, searchable.input?.(key) ?? {}, context);
      const reading = searchable.reading(body, key, context.catalog);
      if (reading === null) throw unknownId([searchable], `${kind}:${key}`, context);
      // Offsets count characters (code points), as models do.
      const text = [...reading.text];
      if (offset > 0 && offset >= text.length) throw beyondTheEnd(offset, text.length);
      const end = findPartEnd(text, offset, max_chars);
      const url = context.service.baseUrl + path(key);
      const content = {
        id: `${kind}:${key}`,
        title: reading.title,
        text: text.slice(offset, end).join(''),
        url: anchor === undefined ? url : `${url}#${anchor(key)}`,
        metadata: {
          type: kind,
          markdown_url: context.service.baseUrl + markdownPath(path(key)),
          total_chars: text.length,
          next_offset: end < text.length ? end : null,
        },
      };
      return { content, search: null };
    },
  });

/** Something that search finds, and its key among those of its kind. */
interface Item {
  readonly searchable: Searchable;
  readonly key: string;
}

/** Finds an item by `doc:slug`, `faq:id` and so on, by the URL of its page, or by its slug or ID. Throws `not_found`. */
function findItem(searched: readonly Searchable[], id: string, context: Context): Item {
  for (const searchable of searched) {
    const { kind } = searchable;
    const key = id.startsWith(`${kind}:`) ? id.slice(kind.length + 1) : findKeyByUrl(searchable, id, context);
    if (key !== null) return { searchable, key };
  }
  const searchable = searched.find(({ keys }) => keys(context.catalog).includes(id));
  if (searchable === undefined) throw unknownId(searched, id, context);
  return { searchable, key: id };
}

/** Returns the key in a URL of this site, or null if the URL leads to something of another kind. */
function findKeyByUrl({ path, anchor, keys }: Searchable, id: string, { service, catalog }: Context): string | null {
  if (!id.startsWith(`${service.baseUrl}/`)) return null;
  const [url = '', hash] = decodeUri(id.slice(service.baseUrl.length)).split('#');
  const page = url.replace(/\?.*$/s, '').replace(/\.md$/, '');
  if (anchor !== undefined) return keys(catalog).find((key) => path(key) === page && anchor(key) === hash) ?? null;
  if (page === path(rootSlug)) return rootSlug;
  const folder = path('');
  return page.startsWith(folder) && page.length > folder.length && folder !== '/'
    ? page.slice(folder.length)
    : (keys(catalog).find((key) => path(key) === page) ?? null);
}

function unknownId(searched: readonly Searchable[], id: string, { catalog }: Context): ApiError {
  const suggestions = searched
    .flatMap(({ kind, keys }) => nearMisses(id, keys(catalog)).map((name) => `${kind}:${name}`))
    .slice(0, 3);
  return new ApiError('not_found', `No page or FAQ entry ${quote(id)}.${didYouMean(suggestions)}`, { suggestions });
}

function beyondTheEnd(offset: number, total: number): ApiError {
  const detail = `offset ${offset} is past the end: the text has ${total} characters.`;
  return invalidRequest([{ field: 'offset', code: 'out_of_range', detail }]);
}

/** Returns the offset after `max` characters, or after the last line break in the last quarter of them. */
function findPartEnd(characters: readonly string[], offset: number, max: number): number {
  const end = offset + max;
  if (end >= characters.length) return characters.length;
  const lineEnd = characters.lastIndexOf('\n', end - 1) + 1;
  return lineEnd > end - max / 4 ? lineEnd : end;
}
