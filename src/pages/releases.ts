/** Renders the releases, newest first, one release, and the last releases for an older system. */

import { html, raw } from 'hono/html';
import { ApiError } from '../base/api-error.ts';
import { findNearMisses } from '../base/near-miss.ts';
import type { Release } from '../catalog/catalog.ts';
import { getOlderSystemPath, listOlderSystems, type OlderSystem } from '../catalog/older-systems.ts';
import { joinFacts } from '../content/facts.ts';
import { fillWords } from '../content/words.ts';
import { joinBlocks, writeTable } from '../operations/markdown.ts';
import { renderPage } from './components/layout.ts';
import { PageMenu } from './components/page-menu.ts';
import { CurrentDownloads, DownloadTable, listDownloads, ReleaseDownloads } from './downloads.ts';
import type { Destination } from './navigation.ts';
import type { PageDocument } from './page.ts';
import { renderProse } from './prose.ts';
import { hasExampleKey, ReleaseEntry, ReleaseLabels, Signatures, writeRelease } from './release-entry.ts';
import {
  describeSystems,
  findNewestDay,
  formatReleaseDay,
  getReleaseDay,
  getReleaseName,
  getReleasePath,
  listReleaseFacts,
  writeNotesOrLink,
} from './release-words.ts';
import { getModified, type ListedPage, listPages, type Published, type Site } from './site.ts';

/** Maximum number of releases that the list shows with their notes; the others have a line each. */
export const maxFullReleases = 20;

const createReleasesDestination = (site: Site): Destination => ({ title: site.words.releases, href: '/releases' });

/**
 * Returns the releases of all channels, newest first. Throws `upstream_unavailable` while no source of them has ever been read,
 * unless the folder has releases.
 */
export function requireReleases(site: Site): readonly Release[] {
  const { releases } = site.catalog;
  if (releases !== null) return releases;
  const detail = 'The update feed has not been read yet. Try again after the delay in Retry-After.';
  throw new ApiError('upstream_unavailable', detail, { retryAfter: site.shown.feedStatus().retryAfterSeconds });
}

async function renderReleasesPage(site: Site): Promise<PageDocument> {
  const releases = requireReleases(site);
  const { name } = site.product;
  const { latest } = site.catalog;
  const newest = releases.slice(0, maxFullReleases);
  const older = releases.slice(maxFullReleases);
  const olderSystems = listOlderSystems(site.catalog);
  const anchors = createAnchors(newest);
  const entries = await Promise.all(newest.map((release, index) => ReleaseEntry(site, release, anchors[index] ?? '')));
  const contents = newest.map((release, index) => ({
    text: getReleaseName(release),
    anchor: anchors[index] ?? '',
    level: 2,
  }));
  const body = html`<article class="prose changelog"><h1>${site.words.releases}</h1>
${
  latest &&
  html`<p class="lead">${fillWords(site.words.latest_version_is, { version: getReleaseName(latest) })}</p>
${CurrentDownloads(site, latest)}`
}
${PageMenu(site, '/releases')}
${site.root === '' && html`<p class="more"><a href="/releases.atom">${site.words.release_feed}</a></p>`}
${entries}
${
  older.length > 0 &&
  html`<h2 id="older">${site.words.older_releases}</h2><div class="table" tabindex="0" role="group" aria-label="${site.words.older_releases}"><table>
<thead><tr><th scope="col">${site.words.version}</th><th scope="col">${site.words.published}</th><th scope="col">${site.words.needs}</th></tr></thead>
<tbody>${older.map(
    (release) =>
      html`<tr><th scope="row"><a href="${site.root}${getReleasePath(release)}">${getReleaseName(release)}</a></th><td>${formatReleaseDay(site, release)}</td><td>${describeSystems(site, release)}</td></tr>`,
  )}</tbody></table></div>`
}
${
  olderSystems.length > 0 &&
  html`<h2 id="older-systems">${site.words.older_systems}</h2><ul>${olderSystems.map(
    (system) =>
      html`<li><a href="${site.root}${getOlderSystemPath(system)}">${system.title}</a>: ${listVersions(system)}</li>`,
  )}</ul>`
}</article>`;
  return renderPage(site, {
    path: '/releases',
    title: site.words.releases,
    description: fillWords(site.words.releases_description, { name }),
    body,
    markdown: joinBlocks(
      `# ${fillWords(site.words.releases_of, { name })}`,
      ...newest.map((release) => writeRelease(site, release, '##')),
      older.length > 0 && `## ${site.words.older_releases}`,
      older.length > 0 &&
        writeTable(
          [site.words.version, site.words.published, site.words.needs],
          older.map((release) => [
            `[${getReleaseName(release)}](${site.shown.siteRoot}${getReleasePath(release)}.md)`,
            getReleaseDay(release) ?? '',
            describeSystems(site, release),
          ]),
        ),
      olderSystems.length > 0 && `## ${site.words.older_systems}`,
      olderSystems
        .map(
          (system) =>
            `- [${system.title}](${site.shown.siteRoot}${getOlderSystemPath(system)}.md): ${listVersions(system)}`,
        )
        .join('\n'),
    ),
    contents,
    breadcrumb: [createReleasesDestination(site)],
  });
}

/**
 * Renders the page of a release. The promise rejects with `not_found` for a version, with or without its build, that no release
 * has, and with `upstream_unavailable` where `requireReleases` throws it.
 */
async function renderReleasePage(site: Site, version: string): Promise<PageDocument> {
  requireReleases(site);
  const { name } = site.product;
  const release = site.catalog.release(version);
  if (release === undefined) {
    const near = findNearMisses(version, site.catalog.versions).flatMap((id) => site.catalog.release(id) ?? []);
    const suggestions = (near.length > 0 ? near : [site.catalog.latest ?? []].flat()).map(getReleasePath);
    throw new ApiError('not_found', `No release \`${[...version].slice(0, 64).join('')}\`.`, { suggestions });
  }
  const path = getReleasePath(release);
  const title = `${name} ${getReleaseName(release)}`;
  const isLatest = site.catalog.latest?.id === release.id;
  const downloads = listDownloads(site, release);
  const day = formatReleaseDay(site, release);
  const body = html`<article class="prose"><h1>${title}${ReleaseLabels(site, release)}</h1>
<p class="facts">${joinFacts(listReleaseFacts(site, release))}</p>
${ReleaseDownloads(site, release, isLatest)}
${hasExampleKey(site) && html`<p class="note">${site.words.signature_example}</p>`}
${PageMenu(site, path)}
${raw(await renderProse(site, writeNotesOrLink(site, release), { topLevel: 2 }))}
${DownloadTable(site, downloads)}
${Signatures(site, downloads)}</article>`;
  return renderPage(site, {
    path,
    title,
    description: fillWords(day === '' ? site.words.release_description : site.words.dated_release_description, {
      release: title,
      day,
    }),
    body,
    markdown: writeRelease(site, release, '#'),
    breadcrumb: [createReleasesDestination(site), { title: getReleaseName(release), href: path }],
    kind: 'article',
  });
}

/**
 * Renders the page of a system version that only older releases support, such as `macos-13`. The promise rejects with `not_found`
 * for any other `slug`, and with `upstream_unavailable` where `requireReleases` throws it.
 */
async function renderOlderSystemPage(site: Site, slug: string): Promise<PageDocument> {
  requireReleases(site);
  const systems = listOlderSystems(site.catalog);
  const system = systems.find((candidate) => candidate.slug === slug);
  if (system === undefined) {
    const suggestions = findNearMisses(
      slug,
      systems.map((candidate) => candidate.slug),
    );
    throw new ApiError('not_found', `No page for \`${[...slug].slice(0, 64).join('')}\`.`, { suggestions });
  }
  const { name } = site.product;
  const title = fillWords(site.words.name_for_system, { name, system: system.name });
  const description = fillWords(site.words.older_system_description, { name, system: system.title });
  const lead = fillWords(site.words.newer_needs, {
    name,
    version: getReleaseName(system.current),
    system: system.title,
    last: listVersions(system),
  });
  const entries = await Promise.all(
    system.releases.map((release, place) => ReleaseEntry(site, release, `release-${place + 1}`)),
  );
  return renderPage(site, {
    path: getOlderSystemPath(system),
    title,
    description,
    body: html`<article class="prose changelog"><h1>${title}</h1>
<p class="lead">${lead}</p>
${PageMenu(site, getOlderSystemPath(system))}
${entries}</article>`,
    markdown: joinBlocks(
      `# ${title}`,
      lead,
      ...system.releases.map((release) => writeRelease(site, release, '##')),
      `[${site.words.all_releases}](${site.shown.siteRoot}/releases.md)`,
    ),
    breadcrumb: [createReleasesDestination(site), { title: system.name, href: getOlderSystemPath(system) }],
  });
}

const listVersions = ({ releases }: OlderSystem): string => releases.map(getReleaseName).join(', ');

/**
 * Returns an anchor for each release, unique on the page: its ID with `-` for each character that is no ASCII letter, digit, `.` or
 * `-`, and `-2` and so on at the end if that is taken.
 */
function createAnchors(releases: readonly Release[]): string[] {
  const usedAnchors = new Set(['older', 'older-systems']);
  return releases.map(({ id }) => {
    const base = id.replace(/[^A-Za-z0-9.-]/g, '-');
    let anchor = base;
    for (let count = 2; usedAnchors.has(anchor); count += 1) anchor = `${base}-${count}`;
    usedAnchors.add(anchor);
    return anchor;
  });
}

const listReleasePages = ({ catalog, product: { name }, words }: Site): ListedPage[] => [
  ...(catalog.releases ?? []).map((release) => ({
    path: getReleasePath(release),
    title: `${name} ${getReleaseName(release)}`,
    ...getModified(getReleaseDay(release)),
  })),
  ...listOlderSystems(catalog).map((system) => ({
    path: getOlderSystemPath(system),
    title: fillWords(words.name_for_system, { name, system: system.name }),
  })),
];

/** The pages of the releases and their places in menus and lists. */
export const releasesFacets: Published = {
  page: {
    routes: [
      { path: '/releases', make: renderReleasesPage, needsFeed: true },
      {
        path: '/releases/:version',
        make: (site, { version = '' }) => renderReleasePage(site, version),
        needsFeed: true,
      },
      {
        path: '/releases/for/:system',
        make: (site, { system = '' }) => renderOlderSystemPage(site, system),
        needsFeed: true,
      },
    ],
    listed: (site) =>
      site.catalog.releases === null
        ? []
        : [
            {
              path: '/releases',
              title: createReleasesDestination(site).title,
              ...getModified(findNewestDay(site.catalog)),
            },
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
