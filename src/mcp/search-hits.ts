/** What `search` gives: the REST response with the ids that `fetch` takes. */
import { z } from 'zod';
import { paginationSchema } from '../operations/list.ts';
import type { Body } from '../operations/outcome.ts';

export const searchHitsSchema = z.object({
  results: z
    .array(
      z.object({
        id: z.string().describe('For fetch.'),
        title: z.string().describe('Of its page.'),
        url: z.string().describe('Its page.'),
        section: z.string().nullable().describe('Its heading.'),
        section_url: z.string().describe('Cite this.'),
        excerpt: z.string().describe('The match is **bold**.'),
        score: z.number().describe('Higher is better.'),
        markdown_url: z.string().describe('As markdown.'),
      }),
    )
    .describe('Best first.'),
  pagination: paginationSchema.describe('How to continue.'),
  searched_for: z.string().optional().describe('The corrected query.'),
});

export function searchHits({ data, pagination, searched_for }: Body): Body {
  const results = Array.isArray(data) ? data.map(hit) : [];
  return { results, pagination, ...(searched_for !== undefined && { searched_for }) };
}

function hit({ object, slug, id, title, url, section, section_url, excerpt, score, markdown_url }: Body): Body {
  return { id: `${object}:${slug ?? id}`, title, url, section, section_url, excerpt, score, markdown_url };
}
