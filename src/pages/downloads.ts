/** Renders the downloads of a release: a link for each file, in HTML and in Markdown. */
import { html } from 'hono/html';
import { decodeUri } from '../base/uri.ts';
import type { Release } from '../catalog/catalog.ts';
import { joinFacts, writeProcessors, writeSize, writeSystemRange } from '../content/facts.ts';
import { fillWords } from '../content/words.ts';
import { type Build, sortBuilds } from '../feed/builds.ts';
import { type Markup, renderAttributes } from './components/attributes.ts';
import { downloadInWords, getReleaseName } from './release-words.ts';
import type { Site } from './site.ts';

/** One file of a release, with what distinguishes it from the other files of a list. */
export interface Download {
  readonly release: Release;
  readonly build: Build;
  /** Such as "Apple silicon" or "Windows, x86_64"; empty for the only file of a list, or if nothing is known that could distinguish it. */
  readonly label: string;
  /**
   * The channel unless that is the default, the versions of the system if those of the list differ, and the format and the size if
   * they are known; empty if none of them applies.
   */
  readonly facts: string;
}

/**
 * Returns the files of a release in the order of the product's systems, those for the newest versions and for most people first;
 * none for an announcement.
 */
export const listDownloads = (site: Site, release: Release): Download[] =>
  release.isInformational ? [] : addLabels(site, sortDownloads(site, release, release.builds));

/**
 * Returns the files of the current release of each system, in the order of `listDownloads`; none for a system whose current release
 * is an announcement.
 */
const listCurrentDownloads = (site: Site): Download[] =>
  addLabels(
    site,
    site.catalog.systems.flatMap(({ os, current }) =>
      current === null || current.isInformational
        ? []
        : sortDownloads(
            site,
            current,
            current.builds.filter((build) => build.os === os),
          ),
    ),
  );

type Unlabeled = Pick<Download, 'release' | 'build'>;

const sortDownloads = (site: Site, release: Release, builds: readonly Build[]): Unlabeled[] =>
  site.catalog.systems.flatMap(({ os }) =>
    sortBuilds(
      builds.filter((build) => build.os === os),
      { os, osVersion: null, arch: null },
    )
      .toSorted((a, b) => Number(a.maxVersion !== null) - Number(b.maxVersion !== null))
      .map((build) => ({ release, build })),
  );

/**
 * Returns the files in their order, each with its facts and, if there are several, a label: the range of versions if files for its
 * system and processor differ in it, otherwise the system if there are several; the processor if it is known; and the format if
 * files for its system and processor differ in it.
 */
function addLabels(site: Site, downloads: readonly Unlabeled[]): Download[] {
  const builds = downloads.map(({ build }) => build);
  const hasSeveralSystems = new Set(builds.map(({ os }) => os)).size > 1;
  const hasSeveralRanges = new Set(builds.map((build) => describeVersions(site, build))).size > 1;
  return downloads.map(({ release, build }) => {
    const same = builds.filter(({ os, arch }) => os === build.os && arch === build.arch);
    const isRange = new Set(same.map((other) => describeVersions(site, other))).size > 1;
    const parts = [
      ...(isRange ? [describeVersions(site, build)] : hasSeveralSystems ? [build.os] : []),
      ...(build.arch === null ? [] : [describeProcessors(site, build)]),
      ...(new Set(same.map(({ format }) => format)).size > 1 ? [formatInWords(build)] : []),
    ];
    const facts = joinFacts([
      release.channel ?? false,
      hasSeveralRanges && describeVersions(site, build),
      formatInWords(build),
      build.sizeBytes !== null && writeSize(build.sizeBytes, site.language),
    ]);
    return { release, build, label: downloads.length > 1 ? parts.filter((part) => part !== '').join(', ') : '', facts };
  });
}

const describeVersions = (site: Site, { os, minVersion, maxVersion }: Build): string =>
  writeSystemRange({ os, osVersion: minVersion, maximumOsVersion: maxVersion }, site.words);

const describeProcessors = (site: Site, { os, arch }: Build): string =>
  arch === null ? '' : writeProcessors(os, [arch], site);

const formatInWords = ({ format }: Build): string =>
  format === 'appimage' ? 'AppImage' : (format ?? '').toUpperCase();

const nameDownload = (site: Site, { release, label }: Download): string =>
  label === ''
    ? downloadInWords(site, release)
    : fillWords(site.words.download_for, { ...nameRelease(site, release), system: label });

/** Returns the values of `{name}` and `{version}` in the words that name a release. */
const nameRelease = (site: Site, release: Release) => ({ name: site.product.name, version: getReleaseName(release) });

/**
 * Renders the links to files: one link for a single file, otherwise a list; '' without files. The first link is a button if
 * `hasButton`. A script moves the files for the reader's system to the beginning of the list.
 */
function DownloadLinks(site: Site, downloads: readonly Download[], hasButton: boolean): Markup | '' {
  const link = (download: Download, isButton: boolean) =>
    html`<a${renderAttributes({ class: isButton && 'button', href: download.build.downloadUrl })}>${nameDownload(site, download)}</a>`;
  const [first, another] = downloads;
  if (first === undefined) return '';
  if (another === undefined) return html`<p class="get">${link(first, hasButton)}</p>`;
  return html`<ul class="downloads plain">${downloads.map(
    (download, place) =>
      html`<li${renderAttributes({ 'data-os': download.build.os, 'data-arch': download.build.arch })}>${link(download, hasButton && place === 0)}<small class="facts">${download.facts}</small></li>`,
  )}</ul>`;
}

/** Renders the link to the web page of an announcement, or to the main file of any other release, as a button if `hasButton`. */
const AboutLink = (site: Site, release: Release, hasButton: boolean): Markup =>
  html`<p class="get"><a${renderAttributes({ class: hasButton && 'button', href: release.downloadUrl })}>${downloadInWords(site, release)}</a></p>`;

/**
 * Renders the links to the files of the current release of each system, or only the one to the web page of the latest release if
 * that is an announcement; '' without files.
 */
export const CurrentDownloads = (site: Site, latest: Release): Markup | '' =>
  latest.isInformational ? AboutLink(site, latest, true) : DownloadLinks(site, listCurrentDownloads(site), true);

/**
 * Renders the links to the files of one release, the first as a button if `hasButton`, or to its web page if it is an announcement;
 * '' without files.
 */
export const ReleaseDownloads = (site: Site, release: Release, hasButton = false): Markup | '' =>
  release.isInformational
    ? AboutLink(site, release, hasButton)
    : DownloadLinks(site, listDownloads(site, release), hasButton);

/** Returns the links that `CurrentDownloads` renders as markdown, in the form of `writeDownloads`; '' without files. */
export const writeCurrentDownloads = (site: Site, latest: Release): string =>
  latest.isInformational ? writeAbout(site, latest) : writeDownloads(site, listCurrentDownloads(site));

/** Returns the link to the web page of an announcement, or to the main file of any other release, as markdown. */
export const writeAbout = (site: Site, release: Release): string =>
  `[${downloadInWords(site, release)}](${release.downloadUrl})`;

/** Returns the links to files as Markdown: one link, or a list with the facts and the known SHA-256 of each; '' without files. */
export function writeDownloads(site: Site, downloads: readonly Download[]): string {
  const link = (download: Download) => `[${nameDownload(site, download)}](${download.build.downloadUrl})`;
  const [first, another] = downloads;
  if (first === undefined) return '';
  if (another === undefined) return link(first);
  return downloads
    .map((download) => {
      const { sha256 } = download.build;
      return `- ${link(download)}: ${joinFacts([download.facts, sha256 !== null && `SHA-256 \`${sha256}\``])}`;
    })
    .join('\n');
}

/** Renders a heading and a table of the files with their hashes, if there are several files or any hash is known; otherwise ''. */
export function DownloadTable(site: Site, downloads: readonly Download[]): Markup | '' {
  const { words } = site;
  const hasHashes = downloads.some(({ build }) => build.sha256 !== null);
  if (downloads.length < 2 && !hasHashes) return '';
  const renderCell = (label: string, content: Markup | string) => html`<td data-label="${label}">${content}</td>`;
  return html`<h2 id="downloads">${words.downloads}</h2><div class="table stack" tabindex="0" role="group" aria-label="${words.downloads}"><table>
<thead><tr>${[words.file, words.system, words.processor, words.size, ...(hasHashes ? ['SHA-256'] : [])].map((title) => html`<th scope="col">${title}</th>`)}</tr></thead>
<tbody>${downloads.map(
    ({ build }) =>
      html`<tr><th scope="row"><a href="${build.downloadUrl}">${getFileName(build)}</a></th>${renderCell(words.system, describeVersions(site, build))}${renderCell(words.processor, describeProcessors(site, build))}${renderCell(words.size, build.sizeBytes === null ? '' : writeSize(build.sizeBytes, site.language))}${hasHashes && renderCell('SHA-256', build.sha256 === null ? '' : html`<code>${build.sha256}</code>`)}</tr>`,
  )}</tbody></table></div>`;
}

/** Returns the name of a file: the last part of its URL's path, decoded, or as it is if it cannot be; '' if the path ends in a slash. */
const getFileName = ({ downloadUrl }: Build): string =>
  decodeUri(/[^/]*$/.exec(new URL(downloadUrl).pathname)?.[0] ?? '');
