/** What `fetch` takes and gives: a page or a FAQ entry under any of its names, whole or in parts. */
import { z } from 'zod';
import { ApiError } from '../base/api-error.ts';
import { didYouMean, nearMisses } from '../base/near-miss.ts';
import { rootSlug } from '../markdown/links.ts';
import type { Body, Context } from '../operations/context.ts';
import { quote } from '../operations/input.ts';
import { markdownPath, type Searchable } from '../operations/searchable.ts';
import type { Question } from './tool.ts';

export const pagePartSchema = (kinds: readonly string[]) =>
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

/** What `fetch` was asked for. */
interface Item {
  readonly searchable: Searchable;
  readonly key: string;
}

/** "doc:slug", "faq:id" and so on, a slug, an id, or the URL of a page, to the operation that has it. */
export function questionFor(
  searched: readonly Searchable[],
  { id, ...part }: { id: string; offset: number; max_chars: number },
  context: Context,
): Question {
  const item = itemFor(searched, id, context);
  return {
    operation: item.searchable.item,
    input: item.searchable.input?.(item.key) ?? {},
    project: (body) => pagePart(item, body, part, context),
  };
}

function itemFor(searched: readonly Searchable[], id: string, context: Context): Item {
  for (const searchable of searched) {
    const key = id.startsWith(`${searchable.kind}:`)
      ? id.slice(searchable.kind.length + 1)
      : linked(searchable, id, context);
    if (key !== null) return { searchable, key };
  }
  const named = searched.find(({ keys }) => keys(context.catalog).includes(id));
  if (named === undefined) throw unknownId(searched, id, context);
  return { searchable: named, key: id };
}

/** The key in a URL of this site; null where another thing is. */
function linked({ path, anchor, keys }: Searchable, id: string, { service, catalog }: Context): string | null {
  if (!id.startsWith(`${service.baseUrl}/`)) return null;
  const [url = '', hash] = decoded(id.slice(service.baseUrl.length)).split('#');
  const page = url.replace(/\?.*$/s, '').replace(/\.md$/, '');
  if (anchor !== undefined) return keys(catalog).find((key) => path(key) === page && anchor(key) === hash) ?? null;
  if (page === path(rootSlug)) return rootSlug;
  const before = path('');
  return page.startsWith(before) && page.length > before.length && before !== '/'
    ? page.slice(before.length)
    : (keys(catalog).find((key) => path(key) === page) ?? null);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function unknownId(searched: readonly Searchable[], id: string, { catalog }: Context): ApiError {
  const suggestions = searched
    .flatMap(({ kind, keys }) => nearMisses(id, keys(catalog)).map((name) => `${kind}:${name}`))
    .slice(0, 3);
  return new ApiError('not_found', `No page or FAQ entry ${quote(id)}.${didYouMean(suggestions)}`, { suggestions });
}

/** The part of an item's text that begins at `offset`, counted in characters (code points). */
function pagePart(
  { searchable, key }: Item,
  body: Body,
  { offset, max_chars }: { offset: number; max_chars: number },
  context: Context,
): Body {
  const { kind, path, anchor } = searchable;
  const reading = searchable.reading(body, key, context.catalog);
  if (reading === null) throw unknownId([searchable], `${kind}:${key}`, context);
  const characters = [...reading.text];
  if (offset > 0 && offset >= characters.length) throw pastTheEnd(offset, characters.length);
  const end = partEnd(characters, offset, max_chars);
  const url = context.service.baseUrl + path(key);
  return {
    id: `${kind}:${key}`,
    title: reading.title,
    text: characters.slice(offset, end).join(''),
    url: anchor === undefined ? url : `${url}#${anchor(key)}`,
    metadata: {
      type: kind,
      markdown_url: context.service.baseUrl + markdownPath(path(key)),
      total_chars: characters.length,
      next_offset: end < characters.length ? end : null,
    },
  };
}

/** After `most` characters, or after the last line break in the last quarter of them. */
function partEnd(characters: readonly string[], offset: number, most: number): number {
  const end = offset + most;
  if (end >= characters.length) return characters.length;
  const lineEnd = characters.lastIndexOf('\n', end - 1) + 1;
  return lineEnd > end - most / 4 ? lineEnd : end;
}

function pastTheEnd(offset: number, total: number): ApiError {
  const detail = `offset ${offset} is past the end: the text has ${total} characters.`;
  return new ApiError('invalid_request', detail, { errors: [{ field: 'offset', code: 'out_of_range', detail }] });
}
