/** Renders the search page: a form, and results of the API's own search. */
import { html } from 'hono/html';
import { ApiError } from '../base/api-error.ts';
import { none } from '../base/none.ts';
import { queryLength } from '../base/request-limits.ts';
import { numberInWords } from '../content/facts.ts';
import { fillWords } from '../content/words.ts';
import { findAnswer, listAnswers } from '../operations/answer.ts';
import { call } from '../operations/call.ts';
import { joinBlocks } from '../operations/markdown.ts';
import type { AnsweredSearch } from '../operations/operation.ts';
import type { Search } from '../operations/search.ts';
import { kinds } from '../search/document.ts';
import { type Markup, renderAttributes } from './components/attributes.ts';
import { renderPage } from './components/layout.ts';
import { listHelp } from './navigation.ts';
import type { PageDocument } from './page.ts';
import {
  explainNoMatch,
  type Found,
  nameKind,
  perList,
  perPage,
  ResultList,
  type ResultSite,
  Suggestions,
} from './search-results.ts';
import type { Published, Site } from './site.ts';

/**
 * Renders the page, with an explanation if the search fails with a status below 500, and rejects with any other error.
 * If the query has `part=chosen`, it renders nothing: the script sends that to report that a suggestion was chosen, and the search
 * is counted. Any other `part` renders only the suggestions, none for an empty `q`.
 */
async function searchPage(site: Site, query: URLSearchParams, search: Search): Promise<PageDocument> {
  const q = (query.get('q') ?? '').trim();
  const part = query.get('part');
  const bare = { path: '/search', language: site.language };
  if (part === 'chosen') return { ...bare, html: '', markdown: '', search: readSearch(query, true), isShared: false };
  const results = q === '' ? null : await find(site, q, query, search, part === null ? perPage : perList);
  const markdown = searchMarkdown(site, q, results);
  if (part !== null)
    return {
      ...bare,
      html: results === null ? '' : String(Suggestions(createResultSite(site), q, results)).trim(),
      markdown,
    };
  const { name } = site.product;
  const hint = html`<p class="note">${fillWords(site.words.search_hint_page, { name })}</p>`;
  const page = renderPage(site, {
    path: '/search',
    title: q === '' ? site.words.search : `${site.words.search}: ${q}`,
    description: fillWords(site.words.search_description, { name }),
    body: html`<h1>${site.words.search}</h1>
${SearchForm(site, { q, type: query.get('type') ?? '' })}
<div id="results">${results === null ? !site.isSnapshot && hint : ResultList(createResultSite(site), query, results)}</div>`,
    markdown,
    indexed: q === '',
  });
  return {
    ...page,
    search: results === null || 'problem' in results ? null : readSearch(query, results.data.length > 0),
  };
}

/** Returns the site with the path of the search page, and with the links of `listHelp` as `help`. */
const createResultSite = (site: Site): ResultSite => ({ ...site, searchPath: '/search', help: listHelp(site) });

/**
 * Renders the search form of a page. The form of the search page, for which `query` has the words and the kind ('' for all kinds),
 * has both as its values, also filters by kind, and gets the focus if `q` is empty.
 */
export const SearchForm = (site: Site, query?: { readonly q: string; readonly type: string }): Markup =>
  html`<form class="search" action="/search" role="search" aria-label="${site.words.search_this_site}">
<input${renderAttributes({ type: 'search', name: 'q', value: query?.q, 'aria-label': site.words.search_for })} required maxlength="200" autocomplete="off" spellcheck="false"${renderAttributes({ autofocus: query?.q === '' })}>
${
  query &&
  html`<select name="type" aria-label="${site.words.kind}"><option value="">${site.words.all_kinds}</option>${kinds
    .filter((kind) => kind !== 'reference' || !site.isSnapshot)
    .map(
      (kind) =>
        html`<option${renderAttributes({ value: kind, selected: kind === query.type })}>${nameKind(site, kind)}</option>`,
    )}</select>`
}
<button type="submit">${site.words.search}</button>
</form>`;

/** Returns the search to count, with '' if there is no `q`, or null if `query` has a cursor: a further page is the same search. */
const readSearch = (query: URLSearchParams, isFound: boolean): AnsweredSearch | null =>
  query.has('cursor') ? null : { query: query.get('q') ?? '', isFound };

async function find(site: Site, q: string, query: URLSearchParams, search: Search, limit: number): Promise<Found> {
  const filter = [...query].filter(([name, value]) => ['type', 'cursor'].includes(name) && value !== '');
  try {
    // The API requires two characters. One ideograph is a word, so a space in front of it makes the query long enough.
    const words = isIdeograph.test(q) ? ` ${q}` : q;
    const { body } = await call(search, site.production, { ...Object.fromEntries(filter), q: words, limit });
    // Results with a filter and further pages show no answer.
    const answer = filter.length > 0 ? null : findAnswer(q, listAnswers(site.production.catalog));
    return { ...search.output.parse(body), answer };
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) return { problem: describeProblem(site, error) };
    throw error;
  }
}

const isIdeograph = /^\p{Script=Han}$/u;

/**
 * Returns a sentence about the length of a query if the error is about `q`, or the site's text `search_again` for any other
 * problem: a cursor or a type of an old link.
 */
function describeProblem(site: Site, { options }: ApiError): string {
  if (options.errors?.some(({ field }) => field === 'q') !== true) return site.words.search_again;
  const [min, max] = [queryLength.min, queryLength.max].map((limit) => numberInWords(limit, site.language));
  return fillWords(site.words.query_length, { least: min ?? '', most: max ?? '' });
}

function searchMarkdown(site: Site, q: string, results: Found | null): string {
  if (results === null) {
    return joinBlocks(
      `# ${site.words.search}`,
      !site.isSnapshot && fillWords(site.words.search_address, { link: `<${site.baseUrl}/api/v1/search?q=…>` }),
    );
  }
  if ('problem' in results) return joinBlocks(`# ${site.words.search}: ${q}`, results.problem);
  return joinBlocks(
    `# ${site.words.search}: ${q}`,
    results.searched_for !== undefined && `${site.words.results_for} \`${results.searched_for}\`.`,
    results.answer != null && `[${results.answer.text}](${site.baseUrl}${results.answer.path})`,
    results.data.length === 0 && explainNoMatch(site),
    ...results.data.map(
      ({ title, section, excerpt, markdown_url }) =>
        `## [${title}](${markdown_url})${section === null ? '' : `: ${section}`}\n\n${excerpt}`,
    ),
  );
}

/** Returns the facets of the search page, which shows the results of the API's search operation. */
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
