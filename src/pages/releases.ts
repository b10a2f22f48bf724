/** Releases, newest first, each with its notes; and one release at its own address. */

import { html, raw } from 'hono/html';
import { ApiError } from '../base/api-error.ts';
import { nearMisses } from '../base/near-miss.ts';
import type { Release } from '../catalog/catalog.ts';
import { dayInWords, factsInWords } from '../content/facts.ts';
import { filled } from '../content/words.ts';
import { isExampleKey } from '../feed/example-key.ts';
import { document, table } from '../operations/markdown.ts';
import { attributes } from './components/attributes.ts';
import { renderPage } from './components/layout.ts';
import { actions } from './docs.ts';
import type { Destination } from './navigation.ts';
import type { PageDocument } from './page.ts';
import { anchorTo, notesMarkdown, proseHtml } from './prose.ts';
import {
  downloadInWords,
  newestDay,
  notesOrLink,
  releaseDay,
  releaseDayInWords,
  releaseFacts,
  releaseLabels,
  releaseName,
  releasePath,
  systemsInWords,
} from './release-words.ts';
import { type ListedPage, listPages, modifiedOn, type Published, type Site } from './site.ts';

/** How many releases the list shows with their notes; the others have a line each. */
const maxFullReleases = 20;

const all = (site: Site): Destination => ({ title: site.words.releases, href: '/releases' });

/** Throws `upstream_unavailable` while no feed has ever been read. */
export function requireReleases(site: Site): readonly Release[] {
  const { releases } = site.catalog;
  if (releases !== null) return releases;
  const detail = 'The update feed has not been read yet. Try again after the delay in Retry-After.';
  throw new ApiError('upstream_unavailable', detail, { retryAfter: site.shown.feedStatus().retryAfterSeconds });
}

async function releasesPage(site: Site): Promise<PageDocument> {
  const releases = requireReleases(site);
  const { name } = site.product;
  const { latest } = site.catalog;
  const shown = releases.slice(0, maxFullReleases);
  const older = releases.slice(maxFullReleases);
  const anchors = anchorsOf(shown);
  const entries = await Promise.all(shown.map((release, at) => ReleaseEntry(site, release, anchors[at] ?? '')));
  const contents = shown.map((release, at) => ({ text: releaseName(release), anchor: anchors[at] ?? '', level: 2 }));
  const body = html`<article class="prose changelog"><h1>${site.words.releases}</h1>
${
  latest &&
  html`<p class="lead">${filled(site.words.latest_version_is, { version: releaseName(latest) })}</p>
<p class="get"><a class="button" href="${latest.downloadUrl}">${downloadInWords(site, latest)}</a>${site.root === '' && html` <a href="/releases.atom">${site.words.release_feed}</a>`}</p>`
}
${entries}
${
  older.length > 0 &&
  html`<h2 id="older">${site.words.older_releases}</h2><div class="table" tabindex="0" role="group" aria-label="${site.words.older_releases}"><table>
<thead><tr><th scope="col">${site.words.version}</th><th scope="col">${site.words.published}</th><th scope="col">${site.words.needs}</th></tr></thead>
<tbody>${older.map(
    (release) =>
      html`<tr><th scope="row"><a href="${site.root}${releasePath(release)}">${releaseName(release)}</a></th><td>${releaseDayInWords(site, release)}</td><td>${systemsInWords(site, release)}</td></tr>`,
  )}</tbody></table></div>`
}</article>`;
  return renderPage(site, {
    path: '/releases',
    title: site.words.releases,
    description: filled(site.words.releases_description, { name }),
    body,
    markdown: document(
      `# ${filled(site.words.releases_of, { name })}`,
      ...shown.map((release) => releaseMarkdown(site, release, '##')),
      older.length > 0 && `## ${site.words.older_releases}`,
      older.length > 0 &&
        table(
          [site.words.version, site.words.published, site.words.needs],
          older.map((release) => [
            `[${releaseName(release)}](${site.shown.siteRoot}${releasePath(release)}.md)`,
            releaseDay(release) ?? '',
            systemsInWords(site, release),
          ]),
        ),
    ),
    contents,
    breadcrumb: [all(site)],
  });
}

/** Throws `not_found` for a version that the feed does not have. */
async function releasePage(site: Site, version: string): Promise<PageDocument> {
  requireReleases(site);
  const { name } = site.product;
  const release = site.catalog.release(version);
  if (release === undefined) {
    const suggestions = nearMisses(version, site.catalog.versions);
    throw new ApiError('not_found', `No release \`${[...version].slice(0, 64).join('')}\`.`, { suggestions });
  }
  const path = releasePath(release);
  const title = `${name} ${releaseName(release)}`;
  const isLatest = site.catalog.latest?.id === release.id;
  const download = html`<a${attributes({ class: isLatest && 'button', href: release.downloadUrl })}>${downloadInWords(site, release)}</a>`;
  const day = releaseDayInWords(site, release);
  const body = html`<article class="prose"><h1>${title}${ReleaseLabels(site, release)}</h1>
<p class="facts">${factsInWords(releaseFacts(site, release))}</p>
<p class="get">${download}</p>
${actions(site, path)}
${raw(await proseHtml(site, notesOrLink(site, release), { topLevel: 2 }))}
${Signature(site, release)}</article>`;
  return renderPage(site, {
    path,
    title,
    description: filled(day === '' ? site.words.release_description : site.words.dated_release_description, {
      release: title,
      day,
    }),
    body,
    markdown: releaseMarkdown(site, release, '#'),
    breadcrumb: [all(site), { title: releaseName(release), href: path }],
    kind: 'article',
  });
}

/** A separate anchor for each, whatever characters its version has. */
function anchorsOf(releases: readonly Release[]): string[] {
  const taken = new Set(['older']);
  return releases.map(({ id }) => {
    const base = id.replace(/[^A-Za-z0-9.-]/g, '-');
    let anchor = base;
    for (let count = 2; taken.has(anchor); count += 1) anchor = `${base}-${count}`;
    taken.add(anchor);
    return anchor;
  });
}

/** The day and the requirements next to the notes, so that the list reads as the story of the application. */
async function ReleaseEntry(site: Site, release: Release, id: string) {
  const notes = await proseHtml(site, notesOrLink(site, release), { topLevel: 3, hasAnchors: false });
  const day = releaseDay(release);
  const isLatest = site.catalog.latest?.id === release.id;
  const [, ...facts] = releaseFacts(site, release);
  return html`<section class="release" aria-labelledby="${id}"><div class="when">
<h2 id="${id}"><a href="${site.root}${releasePath(release)}">${releaseName(release)}</a>${isLatest && html`&ensp;<span class="mark new">${site.words.latest}</span>`}${ReleaseLabels(site, release)}</h2>
${day && html`<p><time datetime="${day}">${dayInWords(day, site.language)}</time></p>`}
<p class="facts">${factsInWords(facts)}</p>
<p class="facts"><a href="${release.downloadUrl}">${downloadInWords(site, release)}</a></p></div>
<div class="notes">${raw(notes)}</div></section>`;
}

const ReleaseLabels = (site: Site, release: Release) =>
  releaseLabels(site, release).map(
    ({ text, isBad }) => html`&ensp;<span class="mark${isBad ? ' bad' : ''}">${text}</span>`,
  );

function Signature(site: Site, { signature: value }: Release) {
  const title = site.words.signature;
  return (
    value !== null &&
    html`<h2 id="signature">${title}${raw(anchorTo(site, 'signature', title))}</h2>
<p>${signatureNote(site)}</p>
<div class="code wrap"><pre tabindex="0"><code>${value}</code></pre></div>`
  );
}

/** The notes with absolute links. Those of the feed have no others: only the content folder's own are looked through. */
export const releaseNotes = (site: Site, release: Release): string =>
  site.content.releaseNotes.has(release.version)
    ? notesMarkdown(site, notesOrLink(site, release))
    : notesOrLink(site, release);

/** A release as a section of a list, or, with `#`, as a document. */
function releaseMarkdown(site: Site, release: Release, mark: '#' | '##'): string {
  const { name } = site.product;
  const labels = releaseLabels(site, release).map(({ text }) => text);
  const title = `${mark === '#' ? `${name} ` : ''}${releaseName(release)}${labels.length > 0 ? ` (${labels.join(', ')})` : ''}`;
  return document(
    `${mark} ${title}`,
    factsInWords([...releaseFacts(site, release), `[${downloadInWords(site, release)}](${release.downloadUrl})`]),
    releaseNotes(site, release)
      .replace(/^(#{1,4}) /gm, `${mark}$1 `)
      .trim(),
    mark === '#' &&
      release.signature !== null &&
      `## ${site.words.signature}\n\n${signatureNote(site)}\n\n\`${release.signature}\``,
  ).trim();
}

/** Nothing is published under the example's key, so its feed has no archives to sign. */
const signatureNote = (site: Site): string =>
  site.product.feed.public_keys.some(isExampleKey) ? site.words.signature_example : site.words.signature_note;

const listReleasePages = ({ catalog, product }: Site): ListedPage[] =>
  (catalog.releases ?? []).map((release) => ({
    path: releasePath(release),
    title: `${product.name} ${releaseName(release)}`,
    ...modifiedOn(releaseDay(release)),
  }));

export const releasesFacets: Published = {
  page: {
    routes: [
      { path: '/releases', make: releasesPage, needsFeed: true },
      { path: '/releases/:version', make: (site, { version = '' }) => releasePage(site, version), needsFeed: true },
    ],
    listed: (site) =>
      site.catalog.releases === null
        ? []
        : [
            { path: '/releases', title: all(site).title, ...modifiedOn(newestDay(site.catalog)) },
            ...listReleasePages(site),
          ],
  },
  sandbox: 'served',
  sitemap: 'listed',
  llms: (site) => [
    {
      heading: 'Product',
      title: 'Releases',
      path: '/releases.md',
      about: 'Every release with its notes, newest first.',
    },
    ...listPages(
      'Releases',
      listReleasePages(site).map(({ path, title }) => ({ path: `${path}.md`, title })),
    ),
  ],
  navigation: { href: '/releases', place: 40, menu: ({ releases }) => releases, foot: ({ releases }) => releases },
  suggestions: 'listed',
};
