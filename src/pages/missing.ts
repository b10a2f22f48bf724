/** The pages that people see when something goes wrong: no such page, or no answer right now. */
import { html } from 'hono/html';
import type { ApiError } from '../base/api-error.ts';
import { nearMisses } from '../base/near-miss.ts';
import { isNone } from '../base/none.ts';
import * as frame from './frame.ts';
import { wordsOf } from './language.ts';
import { siteLinks } from './navigation.ts';
import type { PageDocument } from './page.ts';
import type { Site } from './site.ts';

export interface Failure {
  readonly error: ApiError;
  /** The path that was asked for. */
  readonly path: string;
  /** What to quote in a report. */
  readonly requestId: string;
}

export function failurePage(site: Site, failure: Failure): PageDocument {
  return failure.error.status === 404 ? missing(site, failure) : failed(site, failure);
}

function missing(site: Site, { path }: Failure): PageDocument {
  const near = nearestPaths(site, path);
  const shown = readablePath(path);
  const words = wordsOf(site);
  const [before = '', after = ''] = words.nothing_here.split('{path}');
  const body = html`<h1>${words.no_such_page}</h1>
<p class="lead">${before}<code>${shown}</code>${after}</p>
${near.length === 0 ? '' : html`<p>${words.did_you_mean}</p><ul>${near.map(({ href, title }) => html`<li><a href="${site.root}${href}">${title}</a></li>`)}</ul>`}
${
  site.root === ''
    ? html`<form class="search" action="/search" role="search" aria-label="${words.search_this_site}"><input type="search" name="q" aria-label="${words.search_for}" required minlength="2" maxlength="200"> <button type="submit">${words.search}</button></form>`
    : ''
}
<p class="more">${siteLinks(site).map(({ href, title }) => html`<a href="${site.root}${href}">${title}</a> `)}</p>`;
  return frame.document(site, {
    path: '/404',
    title: words.no_such_page,
    description: words.no_such_page,
    body: String(body),
    markdown: `# ${words.no_such_page}`,
    indexed: false,
  });
}

function failed(site: Site, { error, requestId }: Failure): PageDocument {
  const again = error.options.retryAfter;
  const body = html`<h1>This page cannot be shown</h1>
<p class="lead">${error.message}</p>
${again === undefined || /\d seconds?/.test(error.message) ? '' : html`<p>Try again in ${again === 1 ? 'a second' : `${again} seconds`}.</p>`}
<p class="note">Status ${error.status}, <a href="/developers/errors#${error.code}"><code>${error.code}</code></a>. Request <code>${requestId}</code>.</p>`;
  return frame.document(site, {
    path: `/${error.status}`,
    title: 'This page cannot be shown',
    description: error.message,
    body: String(body),
    markdown: `# This page cannot be shown\n\n${error.message}`,
    indexed: false,
  });
}

/** Pages whose path is near the one asked for, a page of the same last name first. */
function nearestPaths(site: Site, path: string): { href: string; title: string }[] {
  const known = new Map(
    site.published
      .flatMap(({ page, suggestions }) => (isNone(page) || isNone(suggestions) ? [] : page.listed(site)))
      .map((listed) => [listed.path, listed.title]),
  );
  const wanted = readablePath(path.slice(site.root.length)).replace(/(\.md|\.html?|\/)$/, '');
  const last = wanted.slice(wanted.lastIndexOf('/'));
  const same = [...known.keys()].filter((href) => last.length > 1 && href.endsWith(last));
  const found = new Set([...same, ...nearMisses(wanted, known.keys())]);
  return [...found].slice(0, 4).map((href) => ({ href, title: known.get(href) ?? href }));
}

function readablePath(path: string): string {
  try {
    return decodeURIComponent(path).slice(0, 120);
  } catch {
    return path.slice(0, 120);
  }
}
