/** What `fetch` takes and gives: a page or a FAQ entry under any of its names, whole or in parts. */
import { z } from 'zod';
import { ApiError } from '../base/api-error.ts';
import { didYouMean, nearMisses } from '../base/near-miss.ts';
import { rootSlug } from '../content/slugs.ts';
import type { Context } from '../operations/context.ts';
import type { Body } from '../operations/outcome.ts';
import type { Searchable } from '../operations/searchable.ts';
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

/** "doc:slug", "faq:id", a slug, a FAQ id, or the URL of one of them, to the operation that has it. */
export function questionFor(searched: readonly Searchable[], id: string, context: Context): Question {
  for (const searchable of searched) {
    const key = id.startsWith(`${searchable.kind}:`)
      ? id.slice(searchable.kind.length + 1)
      : linked(searchable, id, context.service.baseUrl);
    if (key !== null) return questionOf(searchable, key);
  }
  const named = searched.find(({ keys }) => keys(context.catalog).includes(id));
  if (named === undefined) throw unknownId(searched, id, context);
  return questionOf(named, id);
}

const questionOf = ({ item, parameter }: Searchable, key: string): Question => ({
  operation: item,
  input: { [parameter]: key },
});

/** The key in a URL of this site; null where another thing is. */
function linked({ path }: Searchable, id: string, baseUrl: string): string | null {
  const before = baseUrl + path('');
  if (id === baseUrl + path(rootSlug)) return rootSlug;
  const key = id.startsWith(before) ? id.slice(before.length).replace(/[?#].*$/s, '') : '';
  return key === '' ? null : decoded(key).replace(/\.md$/, '');
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
  const shown = [...id].slice(0, 64).join('');
  return new ApiError('not_found', `No page or FAQ entry \`${shown}\`.${didYouMean(suggestions)}`, { suggestions });
}

/** The part of an item's text that begins at `offset`, counted in characters (code points). */
export function pagePart(
  searched: readonly Searchable[],
  body: Body,
  { offset, max_chars }: { offset: number; max_chars: number },
): Body {
  const searchable = searched.find(({ kind }) => kind === body.object);
  if (searchable === undefined) throw new Error(`nothing that is searched gives the object ${body.object}`);
  const { title, text } = searchable.reading(body);
  const characters = [...String(text)];
  if (offset > 0 && offset >= characters.length) throw pastTheEnd(offset, characters.length);
  const end = partEnd(characters, offset, max_chars);
  return {
    id: `${searchable.kind}:${body[searchable.parameter]}`,
    title,
    text: characters.slice(offset, end).join(''),
    url: body.url,
    metadata: {
      type: searchable.kind,
      markdown_url: body.markdown_url,
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
