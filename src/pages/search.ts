/** Search for people: a plain form over the API's own search. */
import { html, raw } from 'hono/html';
import { z } from 'zod';
import { ApiError } from '../base/api-error.ts';
import { none } from '../base/none.ts';
import { call } from '../operations/call.ts';
import { listOf } from '../operations/list.ts';
import { document } from '../operations/markdown.ts';
import type { Search } from '../operations/search.ts';
import type { Searchable } from '../operations/searchable.ts';
import * as frame from './frame.ts';
import { wordsOf } from './language.ts';
import type { PageDocument } from './page.ts';
import { type Published, productOf, type Site } from './site.ts';

const perPage = 10;

/** The operation that is asked, and what it searches. */
interface Asked {
  readonly search: Search;
  readonly searched: readonly Searchable[];
}

/** `query` is the page's own: `q`, `type` and `cursor`. Faults in it are said on the page. */
async function searchPage(site: Site, query: URLSearchParams, { search, searched }: Asked): Promise<PageDocument> {
  const q = (query.get('q') ?? '').trim();
  const { name } = productOf(site);
  const words = wordsOf(site);
  const found = q === '' ? null : await find(site, q, query, search);
  const body = html`<h1>${words.search}</h1>
<form class="search" action="/search" role="search" aria-label="${words.search_this_site}">
<input type="search" name="q" value="${q}" aria-label="${words.search_for}" required minlength="2" maxlength="200" autocomplete="off" spellcheck="false"${q === '' ? raw(' autofocus') : ''}>
<button type="submit">${words.search}</button>
</form>
<div id="results" aria-live="polite">${found === null ? html`<p class="note">Pages and questions about ${name}. Words in double quotes are found as they stand.</p>` : results(q, found, searched)}</div>`;
  return frame.document(site, {
    path: '/search',
    title: q === '' ? words.search : `${words.search}: ${q}`,
    description: `Search the documentation of ${name} and the questions about it.`,
    body: String(body),
    markdown: markdown(site, q, found),
    indexed: q === '',
  });
}

/** What of the operation's answer the page shows. */
const resultSchema = z.object({
  object: z.string(),
  title: z.string(),
  excerpt: z.string(),
  url: z.string(),
  markdown_url: z.string(),
});
const answerSchema = listOf(resultSchema).extend({ searched_for: z.string().optional() });
type Found = { problem: string } | z.infer<typeof answerSchema>;

async function find(site: Site, q: string, query: URLSearchParams, search: Search): Promise<Found> {
  const given = (name: string) => {
    const value = query.get(name);
    return value === null || value === '' ? {} : { [name]: value };
  };
  try {
    const { body } = await call(search, site.production, { q, limit: perPage, ...given('type'), ...given('cursor') });
    return answerSchema.parse(body);
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) return { problem: error.message };
    throw error;
  }
}

function results(q: string, found: Found, searched: readonly Searchable[]) {
  if ('problem' in found) return html`<p class="note">${found.problem}</p>`;
  const { data, pagination, searched_for: instead } = found;
  if (data.length === 0) {
    return html`<p class="note">Nothing matches <strong>${q}</strong>. Try other words, or look through the <a href="/docs">documentation</a>.</p>`;
  }
  return html`${instead === undefined ? '' : html`<p class="note">Nothing matches as you wrote it. These match <strong>${instead}</strong>.</p>`}
<ol class="results plain">${data.map(
    ({ object, title, excerpt, url }) =>
      html`<li><a href="${new URL(url).pathname}">${title}</a>&ensp;<span class="mark">${searched.find(({ kind }) => kind === object)?.label}</span><p>${raw(marked(excerpt))}</p></li>`,
  )}</ol>
${pagination.next_cursor === null ? '' : html`<p class="more"><a rel="next" href="/search?${new URLSearchParams({ q, cursor: pagination.next_cursor })}">More results</a></p>`}`;
}

/** The excerpt's `**word**` as marks; everything else is text. */
const marked = (excerpt: string): string => String(html`${excerpt}`).replace(/\*\*(.+?)\*\*/g, '<mark>$1</mark>');

function markdown(site: Site, q: string, found: Found | null): string {
  if (found === null) {
    return document(
      '# Search',
      `Add \`?q=\` and what you look for, or use the API: <${site.baseUrl}/api/v1/search?q=…>.`,
    );
  }
  if ('problem' in found) return document(`# Search: ${q}`, found.problem);
  return document(
    `# Search: ${q}`,
    found.searched_for !== undefined && `Nothing matches as asked; these match \`${found.searched_for}\`.`,
    found.data.length === 0 && 'Nothing matches.',
    ...found.data.map(({ title, excerpt, markdown_url }) => `## [${title}](${markdown_url})\n\n${excerpt}`),
  );
}

/** `search`: the operation that is asked. `searched`: what it searches. */
export const searchFacets = (search: Search, searched: readonly Searchable[]): Published => ({
  page: {
    routes: [
      {
        path: '/search',
        make: (site, _, query) => searchPage(site, query, { search, searched }),
        query: ['q', 'type', 'cursor'],
      },
    ],
    listed: (site) => [{ path: '/search', title: wordsOf(site).search }],
  },
  sitemap: none('an empty form is no page to find'),
  llms: none('programs search over the API'),
  navigation: { href: '/search', place: 50, menu: null, foot: ({ search: word }) => word },
  suggestions: none('the page that says what is missing has the form'),
});
