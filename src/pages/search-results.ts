/** Renders the results of a search: on a server, and in the browser of a snapshot's reader. */
import { html, raw } from 'hono/html';
import type { z } from 'zod';
import type { Answer } from '../operations/answer.ts';
import type { Search } from '../operations/search.ts';
import type { Kind } from '../search/document.ts';
import type { Markup } from './components/attributes.ts';
import { markEnglish, quote } from './language.ts';
import type { Destination } from './navigation.ts';
import type { Site } from './site.ts';

/** Maximum number of results on one page of the search page. */
export const perPage = 10;
/** Maximum number of results in the list below the header's field. */
export const perList = 6;

/** Results, with the fact that answers the query (`answer`) if there is one, or why there are none as a sentence (`problem`). */
export type Found = { problem: string } | (Results & { answer?: Pick<Answer, 'text' | 'path'> | null });
type Results = z.infer<Search['output']>;

/** The part of a site that results are rendered from. */
export interface ResultSite extends Pick<Site, 'words' | 'language'> {
  /** The path of the search page. */
  readonly searchPath: string;
  /** The links for a reader who found nothing: all documentation, and the vendor's support or mail address if there is one. */
  readonly help: readonly Destination[];
}

/** Returns the name of a kind of result, such as "Question". */
export const nameKind = ({ words }: Pick<Site, 'words'>, kind: Kind): string =>
  kind === 'reference' ? words.developers : words[`kind_${kind}`];

/**
 * Groups results by page of the site, in the order of the best result of each. `href` and the `place` of each of its `hits` are
 * paths, with an anchor if they have one, and `label` names the kind. `language` is the HTML attributes that mark an English text
 * on a page in another language; false or '' for any other text.
 */
function groupByPage(site: ResultSite, { data }: Results) {
  const pages = Map.groupBy(data, ({ object, title, url }) => `${object} ${title} ${url}`);
  return [...pages.values()].flatMap((hits) => {
    const [best] = hits;
    if (best === undefined) return [];
    const { object: kind } = best;
    return {
      title: best.title,
      href: readPath(best.section === null ? best.section_url : best.url),
      label: nameKind(site, kind),
      // The portal is in English, whatever the language of the folder is.
      language: kind === 'reference' && markEnglish(site),
      hits: hits.map((hit) => ({ ...hit, place: readPath(hit.section_url) })),
    };
  });
}

/** Returns the sentence that names the language of the documentation. */
function writeLanguageNote({ words, language }: Pick<Site, 'words' | 'language'>): string {
  const name = new Intl.DisplayNames(language, { type: 'language' }).of(language) ?? language;
  return words.documentation_language.replace('{language}', () => name);
}

/** Returns the sentences for a query without results. */
export const explainNoMatch = (site: Pick<Site, 'words' | 'language'>): string =>
  `${site.words.nothing_matches} ${writeLanguageNote(site)}`;

/**
 * Renders the words that were searched instead of the query's, and the language of the documentation if the query was in another;
 * false if the query's own words were searched.
 */
const InsteadNote = (
  site: ResultSite,
  { searched_for: instead, documentation_language: language }: Results,
): Markup | false =>
  instead !== undefined &&
  html`<p class="note">${site.words.results_for} <strong>${instead}</strong>.${language && ` ${writeLanguageNote(site)}`}</p>`;

/** Returns the path of an absolute URL with its anchor, without the origin and the query. */
function readPath(url: string): string {
  const { pathname, hash } = new URL(url);
  return pathname + hash;
}

/**
 * Renders the results on the search page, or why there are none, with links to help if nothing matches. `query` is that of the
 * page's address; the link to more results has all of it, and the next cursor.
 */
export function ResultList(site: ResultSite, query: URLSearchParams, results: Found): Markup {
  if ('problem' in results) return html`<p class="note">${results.problem}</p>`;
  const { data, pagination, answer } = results;
  const card = answer && html`<p class="answer"><a href="${answer.path}">${answer.text}</a></p>`;
  if (data.length === 0) {
    return html`${card}<p>${explainNoMatch(site)} ${site.words.try_other_words}</p>
<p class="more">${site.help.map(({ title, href }) => html`<a href="${href}">${title}</a> `)}</p>`;
  }
  const more = new URLSearchParams(query);
  if (pagination.next_cursor !== null) more.set('cursor', pagination.next_cursor);
  return html`${card}${InsteadNote(site, results)}
<ol class="results plain">${groupByPage(site, results).map(
    ({ title, href, label, language, hits }) =>
      html`<li${language}><a href="${href}">${title}</a>&ensp;<span class="mark">${label}</span>${hits.map(
        ({ section, excerpt, place }) =>
          html`${section && html`<a class="section" href="${place}">${section}</a>`}<p>${raw(renderMarks(excerpt))}</p>`,
      )}</li>`,
  )}</ol>
${pagination.next_cursor && html`<p class="more"><a rel="next" href="${site.searchPath}?${more}">${site.words.more_results}</a></p>`}`;
}

/**
 * Renders the options of the listbox below a search field: the fact that answers the query `q`, the results by page, and a link to
 * all of them, or links to help if nothing matches; for a problem only its sentence. A page whose only result is its introduction
 * is one option without a heading.
 */
export function Suggestions(site: ResultSite, q: string, results: Found): Markup {
  if ('problem' in results) return html`<p class="note">${results.problem}</p>`;
  const { data, answer } = results;
  const toOption = (href: string, text: unknown) => html`<a role="option" tabindex="-1" href="${href}">${text}</a>`;
  return html`${answer && html`<div role="group" aria-label="${q}" class="answer">${toOption(answer.path, html`<strong>${answer.text}</strong>`)}</div>`}
${data.length > 0 && InsteadNote(site, results)}
${groupByPage(site, results).map(({ title, label, language, hits }) => {
  const mark = html`<small class="mark">${label}</small>`;
  const isOne = hits.length === 1 && hits[0]?.section === null;
  return html`<div${language} role="group" aria-label="${title}">${!isOne && html`<p aria-hidden="true">${title} ${mark}</p>`}${hits.map(
    ({ section, excerpt, place }) =>
      toOption(
        place,
        html`<strong>${section ?? title}</strong> ${isOne && mark} <span>${raw(renderMarks(excerpt))}</span>`,
      ),
  )}</div>`;
})}
${
  data.length === 0
    ? html`<p class="note">${explainNoMatch(site)}</p>${site.help.map(({ title, href }) => toOption(href, title))}`
    : toOption(
        `${site.searchPath}?${new URLSearchParams({ q })}`,
        site.words.all_results_for.replace('{query}', () => quote(site, q)),
      )
}`;
}

/** Renders an excerpt as HTML: its `**word**` as marks, and everything else as text. */
const renderMarks = (excerpt: string): string => String(html`${excerpt}`).replace(/\*\*(.+?)\*\*/g, '<mark>$1</mark>');
