/** What `fetch` takes and gives: a page or a FAQ entry under any of its names, whole or in parts. */
import { z } from 'zod';
import { ApiError } from '../base/api-error.ts';
import { didYouMean, nearMisses } from '../base/near-miss.ts';
import type { Context } from '../operations/context.ts';
import { getDoc } from '../operations/docs.ts';
import { getFaqEntry } from '../operations/faq.ts';
import type { Body } from '../operations/outcome.ts';
import type { Question } from './tool.ts';

export const pagePartSchema = z.object({
  id: z.string().describe('As search gives it.'),
  title: z.string().describe('Page title or question.'),
  text: z.string().describe('Markdown, whole or the part asked for.'),
  url: z.string().describe('For citing.'),
  metadata: z
    .object({
      type: z.enum(['doc', 'faq']).describe('Kind.'),
      markdown_url: z.string().describe('As markdown.'),
      total_chars: z.int().describe('Length of the whole text.'),
      next_offset: z.int().nullable().describe('Offset of the next part.'),
    })
    .describe('About the text.'),
});

/** "doc:slug", "faq:id", a slug, a FAQ id, or the URL of one of them, to the operation that has it. */
export function questionFor(id: string, context: Context): Question {
  const named = /^(doc|faq):(.*)$/s.exec(id) ?? linked(id, context.service.baseUrl);
  const [, kind, key = ''] = named ?? [null, null, id];
  const { catalog } = context;
  if (kind === 'faq' || (kind === null && catalog.page(key) === undefined && catalog.faqEntry(key) !== undefined)) {
    return { operation: getFaqEntry, input: { id: key } };
  }
  if (kind === null && catalog.page(key) === undefined) throw unknownId(id, context);
  return { operation: getDoc, input: { slug: key } };
}

/** The kind and key in a URL of this site, as `[url, kind, key]`. */
function linked(id: string, baseUrl: string): readonly [string, string, string] | null {
  if (!id.startsWith(`${baseUrl}/`)) return null;
  const [, section, rest = ''] = /^\/(docs|faq)\/([^?#]+)/.exec(id.slice(baseUrl.length)) ?? [];
  if (section === undefined) return null;
  return [id, section === 'docs' ? 'doc' : 'faq', decoded(rest).replace(/\.md$/, '')];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function unknownId(id: string, { catalog }: Context): ApiError {
  const near = (names: readonly string[], kind: string) => nearMisses(id, names).map((name) => `${kind}:${name}`);
  const suggestions = [...near(catalog.slugs, 'doc'), ...near(catalog.faqIds, 'faq')].slice(0, 3);
  const shown = [...id].slice(0, 64).join('');
  return new ApiError('not_found', `No page or FAQ entry \`${shown}\`.${didYouMean(suggestions)}`, { suggestions });
}

/** The part of a `doc` or `faq` body that begins at `offset`, counted in characters (code points). */
export function pagePart(body: Body, { offset, max_chars }: { offset: number; max_chars: number }): Body {
  const isDoc = body.object === 'doc';
  const characters = [...String(isDoc ? body.markdown : body.answer)];
  if (offset > 0 && offset >= characters.length) throw pastTheEnd(offset, characters.length);
  const end = partEnd(characters, offset, max_chars);
  return {
    id: isDoc ? `doc:${body.slug}` : `faq:${body.id}`,
    title: isDoc ? body.title : body.question,
    text: characters.slice(offset, end).join(''),
    url: body.url,
    metadata: {
      type: isDoc ? 'doc' : 'faq',
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
