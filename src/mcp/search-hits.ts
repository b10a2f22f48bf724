/** What `search` gives: the REST answer with the ids that `fetch` takes. */
import { z } from 'zod';
import { paginationSchema } from '../operations/list.ts';
import type { Body } from '../operations/outcome.ts';

export const searchHitsSchema = z.object({
  results: z
    .array(
      z.object({
        id: z.string().describe('For fetch.'),
        title: z.string().describe('Page title or question.'),
        url: z.string().describe('For citing.'),
        excerpt: z.string().describe('Around the match, which is **bold**.'),
        score: z.number().describe('Higher is better.'),
        markdown_url: z.string().describe('As markdown.'),
      }),
    )
    .describe('Best first.'),
  pagination: paginationSchema.describe('The cursor of the next page.'),
  searched_for: z.string().optional().describe('Searched instead, when nothing matched.'),
});

export function searchHits({ data, pagination, searched_for }: Body): Body {
  const results = Array.isArray(data) ? data.map(hit) : [];
  return { results, pagination, ...(searched_for !== undefined && { searched_for }) };
}

function hit({ object, slug, id, title, url, excerpt, score, markdown_url }: Body): Body {
  return { id: `${object}:${slug ?? id}`, title, url, excerpt, score, markdown_url };
}
