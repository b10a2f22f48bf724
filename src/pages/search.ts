/** Search for people: a plain form over the API's own search. */
import { html, raw } from 'hono/html';
import { z } from 'zod';
import { ApiError } from '../base/api-error.ts';
import { none } from '../base/none.ts';
import { queryLength } from '../base/request-limits.ts';
import { numberInWords } from '../content/facts.ts';
import { filled } from '../content/words.ts';
import { call } from '../operations/call.ts';
import { document } from '../operations/markdown.ts';
import type { AnsweredSearch } from '../operations/operation.ts';
import { listOf } from '../operations/schemas.ts';
import type { Search } from '../operations/search.ts';
import type { Searchable } from '../operations/searchable.ts';
import { renderPage } from './components/layout.ts';
import { englishIn, quoted } from './language.ts';
import type { PageDocument } from './page.ts';
import type { Published, Site } from './site.ts';

const perPage = 10;
/** Below the header's field. */
const perList = 6;

/** The operation that is asked, and what it searches. */
interface Asked {
  readonly search: Search;
  readonly searched: readonly Searchable[];
}

/**
 * `query` is the page's own: `q`, `type`, `cursor` and `part`. Faults in it are shown on the page. With the `part`
 * `list`: only its suggestions; with `chosen`: nothing, since one of them was.
 */
async function searchPage(site: Site, query: URLSearchParams, { search, searched }: Asked): Promise<PageDocument> {
  const q = (query.get('q') ?? '').trim();
  const { name } = site.product;
  const part = query.get('part');
  if (part === 'chosen') return { ...bare(site, ''), search: readSearch(query, true), isShared: false };
  const found = q === '' ? null : await find(site, q, query, search, part === null ? perPage : perList);
  const answered = found === null || 'problem' in found ? null : readSearch(query, found.data.length > 0);
  if (part !== null) {
    const list = found === null ? '' : String(suggestions(site, q, found, searched)).trim();
    return { ...bare(site, list), markdown: markdown(site, q, found) };
  }
  const body = html`<h1>${site.words.search}</h1>
<form class="search" action="/search" role="search" aria-label="${site.words.search_this_site}">
<input type="search" name="q" value="${q}" aria-label="${site.words.search_for}" required minlength="2" maxlength="200" autocomplete="off" spellcheck="false"${q === '' ? raw(' autofocus') : ''}>
<button type="submit">${site.words.search}</button>
</form>
<div id="results">${found === null ? html`<p class="note">${filled(site.words.search_hint_page, { name })}</p>` : results(site, q, found, searched)}</div>`;
  const page = renderPage(site, {
    path: '/search',
    title: q === '' ? site.words.search : `${site.words.search}: ${q}`,
    description: filled(site.words.search_description, { name }),
    body,
    markdown: markdown(site, q, found),
    indexed: q === '',
  });
  return { ...page, search: answered };
}

const bare = (site: Site, text: string): PageDocument => ({
  path: '/search',
  language: site.language,
  html: text,
  markdown: text,
});

/** Returns the search to count, or null for a further page, which is the same search. */
const readSearch = (query: URLSearchParams, isFound: boolean): AnsweredSearch | null =>
  query.has('cursor') ? null : { query: query.get('q') ?? '', isFound };

/** What of the operation's answer the page shows. */
const resultSchema = z.object({
  object: z.string(),
  title: z.string(),
  section: z.string().nullable(),
  excerpt: z.string(),
  url: z.string(),
  section_url: z.string(),
  markdown_url: z.string(),
});
const answerSchema = listOf(resultSchema).extend({ searched_for: z.string().optional() });
type Result = z.infer<typeof resultSchema>;
type Found = { problem: string } | z.infer<typeof answerSchema>;

async function find(site: Site, q: string, query: URLSearchParams, search: Search, limit: number): Promise<Found> {
  const given = (name: string) => {
    const value = query.get(name);
    return value === null || value === '' ? {} : { [name]: value };
  };
  try {
    const { body } = await call(search, site.production, { q, limit, ...given('type'), ...given('cursor') });
    return answerSchema.parse(body);
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) return { problem: problemInWords(site, error) };
    throw error;
  }
}

/** The query itself, or a cursor or type that a link no longer leads to. */
function problemInWords(site: Site, { options }: ApiError): string {
  if (options.errors?.some(({ field }) => field === 'q') !== true) return site.words.search_again;
  const [least, most] = [queryLength.least, queryLength.most].map((limit) => numberInWords(limit, site.language));
  return filled(site.words.query_length, { least: least ?? '', most: most ?? '' });
}

/** Groups results by page of the site, in the order of the best result of each. `language` is an attribute for texts in English. */
function groupByPage(site: Site, data: readonly Result[], searched: readonly Searchable[]) {
  const pages = Map.groupBy(data, ({ object, title, url }) => `${object} ${title} ${url}`);
  return [...pages.values()].flatMap((hits) => {
    const [best] = hits;
    if (best === undefined) return [];
    const kind = searched.find((searchable) => searchable.kind === best.object)?.kind ?? 'doc';
    // The portal is in English, whatever the language of the folder is.
    const isPortal = kind === 'reference';
    return {
      title: best.title,
      href: pathOf(best.section === null ? best.section_url : best.url),
      label: isPortal ? site.words.developers : site.words[`kind_${kind}`],
      language: isPortal ? englishIn(site) : '',
      hits: hits.map((hit) => ({ ...hit, place: pathOf(hit.section_url) })),
    };
  });
}

/** With its anchor. */
function pathOf(url: string): string {
  const { pathname, hash } = new URL(url);
  return pathname + hash;
}

function results(site: Site, q: string, found: Found, searched: readonly Searchable[]) {
  if ('problem' in found) return html`<p class="note">${found.problem}</p>`;
  const { data, pagination, searched_for: instead } = found;
  if (data.length === 0) {
    return html`<p class="note">${site.words.nothing_matches} <a href="/docs">${site.words.try_other_words}</a></p>`;
  }
  return html`${instead && html`<p class="note">${site.words.results_for} <strong>${instead}</strong>.</p>`}
<ol class="results plain">${groupByPage(site, data, searched).map(
    ({ title, href, label, language, hits }) =>
      html`<li${language}><a href="${href}">${title}</a>&ensp;<span class="mark">${label}</span>${hits.map(
        ({ section, excerpt, place }) =>
          html`${section && html`<a class="section" href="${place}">${section}</a>`}<p>${raw(marked(excerpt))}</p>`,
      )}</li>`,
  )}</ol>
${pagination.next_cursor && html`<p class="more"><a rel="next" href="/search?${new URLSearchParams({ q, cursor: pagination.next_cursor })}">${site.words.more_results}</a></p>`}`;
}

/** What the header's field shows while one types: the options of a listbox, in groups, the last of which is the whole page. */
function suggestions(site: Site, q: string, found: Found, searched: readonly Searchable[]) {
  if ('problem' in found) return html`<p class="note">${found.problem}</p>`;
  const { data, searched_for: instead } = found;
  const option = (href: string, text: unknown) => html`<a role="option" tabindex="-1" href="${href}">${text}</a>`;
  return html`${instead && html`<p class="note">${site.words.results_for} <strong>${instead}</strong></p>`}
${data.length === 0 && html`<p class="note">${site.words.nothing_matches}</p>`}
${groupByPage(site, data, searched).map(
  ({ title, label, language, hits }) =>
    html`<div${language} role="group" aria-label="${title}"><p aria-hidden="true">${title} <small class="mark">${label}</small></p>${hits.map(
      ({ section, excerpt, place }) =>
        option(place, html`<strong>${section ?? title}</strong> <span>${raw(marked(excerpt))}</span>`),
    )}</div>`,
)}
${option(`/search?${new URLSearchParams({ q })}`, filled(site.words.all_results_for, { query: quoted(site, q) }))}`;
}

/** The excerpt's `**word**` as marks; everything else is text. */
const marked = (excerpt: string): string => String(html`${excerpt}`).replace(/\*\*(.+?)\*\*/g, '<mark>$1</mark>');

function markdown(site: Site, q: string, found: Found | null): string {
  if (found === null) {
    return document(
      `# ${site.words.search}`,
      filled(site.words.search_address, { link: `<${site.baseUrl}/api/v1/search?q=…>` }),
    );
  }
  if ('problem' in found) return document(`# ${site.words.search}: ${q}`, found.problem);
  return document(
    `# ${site.words.search}: ${q}`,
    found.searched_for !== undefined && `${site.words.results_for} \`${found.searched_for}\`.`,
    found.data.length === 0 && site.words.nothing_matches,
    ...found.data.map(
      ({ title, section, excerpt, markdown_url }) =>
        `## [${title}](${markdown_url})${section === null ? '' : `: ${section}`}\n\n${excerpt}`,
    ),
  );
}

/** `search`: the operation that is asked. `searched`: what it searches. */
export const searchFacets = (search: Search, searched: readonly Searchable[]): Published => ({
  page: {
    routes: [
      {
        path: '/search',
        make: (site, _, query) => searchPage(site, query, { search, searched }),
        query: ['q', 'type', 'cursor', 'part'],
      },
    ],
    listed: (site) => [{ path: '/search', title: site.words.search }],
  },
  sandbox: none('it searches the product'),
  sitemap: none('an empty form is no page to find'),
  llms: none('programs search over the API'),
  navigation: { href: '/search', place: 50, menu: null, foot: ({ search: word }) => word },
  suggestions: none('the page that says what is missing has the form'),
});
