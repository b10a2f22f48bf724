/** The tool `fetch`: returns a page, one section of it, a FAQ entry or another search result by any of its names, whole or in parts. */
import { z } from 'zod';
import { ApiError } from '../base/api-error.ts';
import { findNearMisses, writeDidYouMean } from '../base/near-miss.ts';
import { decodeUri } from '../base/uri.ts';
import { rootSlug } from '../markdown/links.ts';
import type { Context } from '../operations/context.ts';
import { createInvalidRequest, createTextSchema, quote } from '../operations/input.ts';
import { getMarkdownPath, type Searchable } from '../operations/searchable.ts';
import { findSection, type PageSection } from './page-section.ts';
import { callOperation, defineTool, type ToolDefinition } from './tool.ts';
import { type SearchScope, whenFeedIsDown } from './tools.ts';

const neighborSchema = z
  .object({ id: z.string().describe('For fetch.'), title: z.string().describe('Heading.') })
  .nullable();

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
        section: z
          .object({
            heading_path: z.array(z.string()).describe('Headings, top first.'),
            previous: neighborSchema.describe('Before it.'),
            next: neighborSchema.describe('After it.'),
          })
          .optional()
          .describe('Place of a section.'),
      })
      .describe('About the text.'),
  });

/**
 * Creates the tool `fetch` of a server, which returns the text of an item that its search finds. The tool fails with `not_found`
 * for an unknown item or section, and with `invalid_request` for an offset past the end of the text.
 */
export const fetchTool = ({ server, searched }: Pick<SearchScope, 'server' | 'searched'>): ToolDefinition =>
  defineTool({
    name: 'fetch',
    servers: [server],
    title: 'Fetch a page',
    description:
      'One search result as markdown, with its URL to cite: a section if id has one (doc:page#section). Long texts come in parts: while metadata.next_offset is not null, call again with it as offset.',
    input: z.strictObject({
      id: createTextSchema(1, 500)
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
      const item = findItem(searched, id, context);
      const { searchable, key } = item;
      const { kind, path, anchor } = searchable;
      const { content: body } = await callOperation(searchable.item, searchable.input?.(key) ?? {}, context);
      const reading = searchable.reading(body, key, context.catalog);
      if (reading === null) throw createUnknownId([searchable], `${kind}:${key}`, context);
      const section = findItemSection(reading.text, item);
      // Offsets count code points, so that no part begins or ends within a surrogate pair.
      const text = [...(section?.text ?? reading.text)];
      if (offset > 0 && offset >= text.length) {
        const detail = `offset ${offset} is past the end: the text has ${text.length} characters.`;
        throw createInvalidRequest([{ field: 'offset', code: 'out_of_range', detail }]);
      }
      const end = findPartEnd(text, offset, max_chars);
      const url = context.service.baseUrl + path(key);
      const fragment = section?.anchor ?? anchor?.(key);
      const content = {
        id: section === null ? `${kind}:${key}` : `${kind}:${key}#${section.anchor}`,
        title: reading.title,
        text: text.slice(offset, end).join(''),
        url: fragment === undefined ? url : `${url}#${fragment}`,
        metadata: {
          type: kind,
          markdown_url: context.service.baseUrl + getMarkdownPath(path(key)),
          total_chars: text.length,
          next_offset: end < text.length ? end : null,
          ...(section !== null && { section: describeSection(section, `${kind}:${key}`) }),
        },
      };
      return { content, search: null };
    },
  });

/** Something that search finds, its key among those of its kind, and the anchor of one of its sections or null for all of it. */
interface Item {
  readonly searchable: Searchable;
  readonly key: string;
  readonly section: string | null;
  /** Whether it was named by a URL, whose fragment may lead to something other than a section. */
  readonly isUrl: boolean;
}

/**
 * Finds an item by `doc:slug`, `doc:slug#section`, `faq:id` and so on, by the URL of its page, or by its slug or ID. Only a slug or
 * ID without its kind is known to exist.
 *
 * @throws ApiError `not_found` if `id` is none of these
 */
function findItem(searchables: readonly Searchable[], id: string, context: Context): Item {
  const [, whole = id, hash = null] = /^([^#]*)#(.+)$/s.exec(id) ?? [];
  for (const searchable of searchables) {
    const { kind, anchor } = searchable;
    if (id.startsWith(`${kind}:`))
      return { searchable, key: whole.slice(kind.length + 1), section: hash, isUrl: false };
    const key = findKeyByUrl(searchable, id, context);
    // If an item shares its page with others, the fragment is the item's and names no section.
    if (key !== null)
      return { searchable, key, section: anchor === undefined ? hash && decodeUri(hash) : null, isUrl: true };
  }
  const searchable = searchables.find(({ keys }) => keys(context.catalog).includes(whole));
  if (searchable === undefined) throw createUnknownId(searchables, id, context);
  return { searchable, key: whole, section: hash, isUrl: false };
}

/**
 * Returns the section of an item, or null for all of it. Throws `not_found` with the nearest ones if there is no such section; for
 * an item that was named by a URL, it then returns null.
 */
function findItemSection(text: string, { searchable, key, section: anchor, isUrl }: Item): PageSection | null {
  if (anchor === null) return null;
  const { section, anchors } = findSection(text, anchor);
  if (section !== null || isUrl) return section;
  const page = `${searchable.kind}:${key}`;
  const near = findNearMisses(anchor, anchors).map((name) => `${page}#${name}`);
  const suggestions = near.length > 0 ? near : [page];
  throw new ApiError('not_found', `No section ${quote(anchor)} in ${quote(page)}.${writeDidYouMean(suggestions)}`, {
    suggestions,
  });
}

const describeSection = ({ path, previous, next }: PageSection, page: string) => {
  const describeNeighbor = (heading: PageSection['next']) =>
    heading === null ? null : { id: `${page}#${heading.anchor}`, title: heading.text };
  return { heading_path: path, previous: describeNeighbor(previous), next: describeNeighbor(next) };
};

/**
 * Returns the key in a URL of this site, or null if `id` is no such URL or leads to something of another kind. The
 * rest of a path after a folder, such as `/docs/`, is returned even if no item has that key. An anchor, or a path without such a
 * folder, gives null if no item has it.
 */
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

function createUnknownId(searchables: readonly Searchable[], id: string, { catalog }: Context): ApiError {
  const suggestions = searchables
    .flatMap(({ kind, keys }) => findNearMisses(id, keys(catalog)).map((name) => `${kind}:${name}`))
    .slice(0, 3);
  return new ApiError('not_found', `No page or FAQ entry ${quote(id)}.${writeDidYouMean(suggestions)}`, {
    suggestions,
  });
}

/**
 * Returns the offset where the part from `offset` ends: the end of the text if at most `max` characters are left, otherwise after
 * `max` characters, or after the last line break in the last quarter of them.
 */
function findPartEnd(characters: readonly string[], offset: number, max: number): number {
  const end = offset + max;
  if (end >= characters.length) return characters.length;
  const lineEnd = characters.lastIndexOf('\n', end - 1) + 1;
  return lineEnd > end - max / 4 ? lineEnd : end;
}
