/** Renders the pages for a failed request: the page does not exist, or it cannot be shown now. */
import { html } from 'hono/html';
import type { ApiError } from '../base/api-error.ts';
import { findNearMisses } from '../base/near-miss.ts';
import { isNone } from '../base/none.ts';
import { decodeUri } from '../base/uri.ts';
import { numberInWords } from '../content/facts.ts';
import { fillWords } from '../content/words.ts';
import { renderPage } from './components/layout.ts';
import { fillHtml, markEnglish } from './language.ts';
import { listSiteLinks } from './navigation.ts';
import type { PageDocument } from './page.ts';
import { SearchForm } from './search.ts';
import type { Site } from './site.ts';

/** A request that failed. */
export interface Failure {
  readonly error: ApiError;
  /** The path as it was requested: percent-encoded, and with `/sandbox` on the pages with fixtures. */
  readonly path: string;
  /** The ID of the request, for a report to the vendor. */
  readonly requestId: string;
}

/**
 * Renders the page for an error of the site: for a 404 with links to pages with similar paths, otherwise with the cause of the
 * error.
 */
export function renderFailurePage(site: Site, failure: Failure): PageDocument {
  return failure.error.status === 404 ? renderMissingPage(site, failure) : renderFailure(site, failure);
}

function renderMissingPage(site: Site, { path, error }: Failure): PageDocument {
  const near = findNearestPaths(site, path, error.options.suggestions);
  const body = html`<h1>${site.words.no_such_page}</h1>
<p class="lead">${fillHtml(site.words.nothing_here, { path: html`<code>${toReadablePath(path)}</code>` })}</p>
${near.length > 0 && html`<p>${site.words.did_you_mean}</p><ul>${near.map(({ href, title }) => html`<li><a href="${site.root}${href}">${title}</a></li>`)}</ul>`}
${site.root === '' && SearchForm(site)}
<p class="more">${listSiteLinks(site).map(({ href, title }) => html`<a href="${site.root}${href}">${title}</a> `)}</p>`;
  return renderPage(site, {
    path: '/404',
    title: site.words.no_such_page,
    description: site.words.no_such_page,
    body,
    markdown: `# ${site.words.no_such_page}`,
    indexed: false,
  });
}

function renderFailure(site: Site, { error, requestId }: Failure): PageDocument {
  const { retryAfter } = error.options;
  const sentence = describeCause(site, error);
  const seconds = retryAfter === undefined ? null : numberInWords(retryAfter, site.language);
  const status = fillHtml(site.words.status_and_request, {
    status: html`${error.status}`,
    code: html`<a href="/developers/errors#${error.code}"><code>${error.code}</code></a>`,
    request: html`<code>${requestId}</code>`,
  });
  const body = html`<h1>${site.words.cannot_be_shown}</h1>
<p class="lead"${sentence === error.message ? markEnglish(site) : ''}>${sentence}</p>
${seconds && html`<p>${fillWords(site.words.try_again_in, { seconds })}</p>`}
<p class="note">${status}</p>`;
  return renderPage(site, {
    path: `/${error.status}`,
    title: site.words.cannot_be_shown,
    description: sentence,
    body,
    markdown: `# ${site.words.cannot_be_shown}\n\n${sentence}`,
    indexed: false,
  });
}

/** Returns a sentence in the words of the site for failures that readers meet, and the API's message in English for all others. */
function describeCause(site: Site, { code, message }: ApiError): string {
  if (code === 'upstream_unavailable') return site.words.no_version_yet;
  if (code === 'rate_limited') return site.words.too_many_requests;
  return code === 'overloaded' || code === 'internal_error' ? site.words.try_again_later : message;
}

/**
 * Returns at most 4 pages with their paths below the root of the site: the suggestions of the error that begin with `/`, then those
 * whose path is near the requested one, the ones with the same last name first. `path` is that of `Failure`, with the root.
 */
function findNearestPaths(
  site: Site,
  path: string,
  suggestions: readonly string[] = [],
): { href: string; title: string }[] {
  const titles = new Map(
    site.published
      .flatMap(({ page, suggestions }) => (isNone(page) || isNone(suggestions) ? [] : page.listed(site)))
      .map((page) => [page.path, page.title]),
  );
  const name = toReadablePath(path.slice(site.root.length)).replace(/(\.md|\.html?|\/)$/, '');
  const last = name.slice(name.lastIndexOf('/'));
  const same = [...titles.keys()].filter((href) => last.length > 1 && href.endsWith(last));
  const suggestedPaths = suggestions.filter((suggestion) => suggestion.startsWith('/'));
  const hrefs = new Set([...suggestedPaths, ...same, ...findNearMisses(name, titles.keys())]);
  return [...hrefs].slice(0, 4).map((href) => ({ href, title: titles.get(href) ?? href }));
}

const toReadablePath = (path: string): string => decodeUri(path).slice(0, 120);
