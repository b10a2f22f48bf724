/** Search for people: a plain form over the API's own search. */
import { html, raw } from 'hono/html';
import type { z } from 'zod';
import { ApiError } from '../base/api-error.ts';
import { none } from '../base/none.ts';
import { queryLength } from '../base/request-limits.ts';
import { numberInWords } from '../content/facts.ts';
import { filled } from '../content/words.ts';
import { call } from '../operations/call.ts';
import { document } from '../operations/markdown.ts';
import type { AnsweredSearch } from '../operations/operation.ts';
import type { Search } from '../operations/search.ts';
import { attributes } from './components/attributes.ts';
import { renderPage } from './components/layout.ts';
import { englishIn, quoted } from './language.ts';
import type { PageDocument } from './page.ts';
import type { Published, Site } from './site.ts';

/** Number of results on the page, and in the list below the header's field. */
const perPage = 10;
const perList = 6;

/** Results, or a sentence that says why there are none. */
type Found = { problem: string } | Results;
type Results = z.infer<Search['output']>;

/**
 * Renders the page, which shows faults of its query. With `part=list` in the query, renders only the suggestions, and with
 * `part=chosen` nothing: the script reports that a suggestion was chosen, and the search is counted.
 */
async function searchPage(site: Site, query: URLSearchParams, search: Search): Promise<PageDocument> {
  const q = (query.get('q') ?? '').trim();
  const part = query.get('part');
  const bare = { path: '/search', language: site.language };
  if (part === 'chosen') return { ...bare, html: '', markdown: '', search: readSearch(query, true), isShared: false };
  const found = q === '' ? null : await find(site, q, query, search, part === null ? perPage : perList);
  const markdown = searchMarkdown(site, q, found);
  if (part !== null)
    return { ...bare, html: found === null ? '' : String(Suggestions(site, q, found)).trim(), markdown };
  const { name } = site.product;
  const hint = html`<p class="note">${filled(site.words.search_hint_page, { name })}</p>`;
  const page = renderPage(site, {
    path: '/search',
    title: q === '' ? site.words.search : `${site.words.search}: ${q}`,
    description: filled(site.words.search_description, { name }),
    body: html`<h1>${site.words.search}</h1>
${SearchForm(site, q)}
<div id="results">${found === null ? hint : ResultList(site, q, found)}</div>`,
    markdown,
    indexed: q === '',
  });
  return { ...page, search: found === null || 'problem' in found ? null : readSearch(query, found.data.length > 0) };
}

/** Renders the form of a page; an empty one of the search page gets the focus. */
export const SearchForm = (site: Site, q?: string) =>
  html`<form class="search" action="/search" role="search" aria-label="${site.words.search_this_site}">
<input${attributes({ type: 'search', name: 'q', value: q, 'aria-label': site.words.search_for })} required minlength="2" maxlength="200" autocomplete="off" spellcheck="false"${attributes({ autofocus: q === '' })}>
<button type="submit">${site.words.search}</button>
</form>`;

/** Returns the search to count, or null for a further page, which is the same search. */
const readSearch = (query: URLSearchParams, isFound: boolean): AnsweredSearch | null =>
  query.has('cursor') ? null : { query: query.get('q') ?? '', isFound };

async function find(site: Site, q: string, query: URLSearchParams, search: Search, limit: number): Promise<Found> {
  const filter = [...query].filter(([name, value]) => ['type', 'cursor'].includes(name) && value !== '');
  try {
    const { body } = await call(search, site.production, { ...Object.fromEntries(filter), q, limit });
    return search.output.parse(body);
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) return { problem: problemInWords(site, error) };
    throw error;
  }
}

/** Says what is wrong with the query; any other problem is a cursor or type of an old link. */
function problemInWords(site: Site, { options }: ApiError): string {
  if (options.errors?.some(({ field }) => field === 'q') !== true) return site.words.search_again;
  const [least, most] = [queryLength.least, queryLength.most].map((limit) => numberInWords(limit, site.language));
  return filled(site.words.query_length, { least: least ?? '', most: most ?? '' });
}

/** Groups results by page of the site, in the order of the best result of each. `language` is an attribute for texts in English. */
function groupByPage(site: Site, { data }: Results) {
  const pages = Map.groupBy(data, ({ object, title, url }) => `${object} ${title} ${url}`);
  return [...pages.values()].flatMap((hits) => {
    const [best] = hits;
    if (best === undefined) return [];
    const { object: kind } = best;
    return {
      title: best.title,
      href: pathOf(best.section === null ? best.section_url : best.url),
      label: kind === 'reference' ? site.words.developers : site.words[`kind_${kind}`],
      // The portal is in English, whatever the language of the folder is.
      language: kind === 'reference' && englishIn(site),
      hits: hits.map((hit) => ({ ...hit, place: pathOf(hit.section_url) })),
    };
  });
}

/** Returns the path of an address with its anchor. */
function pathOf(url: string): string {
  const { pathname, hash } = new URL(url);
  return pathname + hash;
}

function ResultList(site: Site, q: string, found: Found) {
  if ('problem' in found) return html`<p class="note">${found.problem}</p>`;
  const { data, pagination, searched_for: instead } = found;
  if (data.length === 0) {
    return html`<p class="note">${site.words.nothing_matches} <a href="/docs">${site.words.try_other_words}</a></p>`;
  }
  return html`${instead && html`<p class="note">${site.words.results_for} <strong>${instead}</strong>.</p>`}
<ol class="results plain">${groupByPage(site, found).map(
    ({ title, href, label, language, hits }) =>
      html`<li${language}><a href="${href}">${title}</a>&ensp;<span class="mark">${label}</span>${hits.map(
        ({ section, excerpt, place }) =>
          html`${section && html`<a class="section" href="${place}">${section}</a>`}<p>${raw(marked(excerpt))}</p>`,
      )}</li>`,
  )}</ol>
${pagination.next_cursor && html`<p class="more"><a rel="next" href="/search?${new URLSearchParams({ q, cursor: pagination.next_cursor })}">${site.words.more_results}</a></p>`}`;
}

/** Renders the options of the listbox below a search field: the results by page, and a link to all of them. */
function Suggestions(site: Site, q: string, found: Found) {
  if ('problem' in found) return html`<p class="note">${found.problem}</p>`;
  const { data, searched_for: instead } = found;
  const option = (href: string, text: unknown) => html`<a role="option" tabindex="-1" href="${href}">${text}</a>`;
  return html`${instead && html`<p class="note">${site.words.results_for} <strong>${instead}</strong></p>`}
${data.length === 0 && html`<p class="note">${site.words.nothing_matches}</p>`}
${groupByPage(site, found).map(
  ({ title, label, language, hits }) =>
    html`<div${language} role="group" aria-label="${title}"><p aria-hidden="true">${title} <small class="mark">${label}</small></p>${hits.map(
      ({ section, excerpt, place }) =>
        option(place, html`<strong>${section ?? title}</strong> <span>${raw(marked(excerpt))}</span>`),
    )}</div>`,
)}
${option(`/search?${new URLSearchParams({ q })}`, filled(site.words.all_results_for, { query: quoted(site, q) }))}`;
}

/** Renders the `**word**` of an excerpt as marks, and everything else as text. */
const marked = (excerpt: string): string => String(html`${excerpt}`).replace(/\*\*(.+?)\*\*/g, '<mark>$1</mark>');

function searchMarkdown(site: Site, q: string, found: Found | null): string {
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

/** Publishes the page over the API's search operation. */
export const searchFacets = (search: Search): Published => ({
  page: {
    routes: [
      {
        path: '/search',
        make: (site, _, query) => searchPage(site, query, search),
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
