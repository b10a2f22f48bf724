/** Writes `/releases.atom`: releases of the default channel as an Atom feed (RFC 4287). */
import type { Release } from '../../catalog/catalog.ts';
import { fillWords } from '../../content/words.ts';
import { listDownloads } from '../downloads.ts';
import { writeReleaseNotes } from '../release-entry.ts';
import { getReleaseDay, getReleaseName, getReleasePath, listReleaseLabels } from '../release-words.ts';
import { requireReleases } from '../releases.ts';
import type { Site } from '../site.ts';
import { createElement, writeXml, type Xml } from './xml.ts';

/** Maximum number of releases in the feed. */
const maxEntries = 50;

/**
 * Returns the XML of the feed with the newest 50 releases of the default channel, newest first. Rejects with `upstream_unavailable`
 * while no source of releases has ever been read, unless the content folder has releases.
 */
export async function writeReleasesAtom(site: Site): Promise<string> {
  requireReleases(site);
  const { baseUrl, catalog } = site;
  const { name, vendor } = site.product;
  const releases = catalog.listReleases(null).slice(0, maxEntries);
  const notes = await site.renderer.html(releases.map((release) => writeReleaseNotes(site, release)));
  const newest = releases.map(findMoment).toSorted().at(-1) ?? '1970-01-01T00:00:00Z';
  return writeXml(
    createElement(
      'feed',
      { xmlns: 'http://www.w3.org/2005/Atom', 'xml:lang': site.language, 'xml:base': `${baseUrl}/` },
      [
        createElement('id', {}, `${baseUrl}/releases`),
        createElement('title', {}, fillWords(site.words.releases_of, { name })),
        createElement('subtitle', {}, fillWords(site.words.releases_subtitle, { name })),
        createElement('updated', {}, newest),
        createElement('link', { rel: 'self', type: 'application/atom+xml', href: `${baseUrl}/releases.atom` }),
        createElement('link', { rel: 'alternate', type: 'text/html', href: `${baseUrl}/releases` }),
        createElement('icon', {}, new URL(site.look.icon.href, baseUrl).href),
        createElement('author', {}, [
          createElement('name', {}, vendor.name),
          ...(vendor.url === undefined ? [] : [createElement('uri', {}, vendor.url)]),
        ]),
        ...releases.map((release, index) => writeEntry(site, release, (notes[index] ?? '').trim())),
      ],
    ),
  );
}

function writeEntry(site: Site, release: Release, html: string): Xml {
  const url = site.baseUrl + getReleasePath(release);
  const labels = listReleaseLabels(site, release).map(({ text }) => text);
  const title = `${site.product.name} ${getReleaseName(release)}${labels.length === 0 ? '' : ` (${labels.join(', ')})`}`;
  return createElement('entry', {}, [
    createElement('id', {}, url),
    createElement('title', {}, title),
    ...(getReleaseDay(release) === null ? [] : [createElement('published', {}, findMoment(release))]),
    createElement('updated', {}, findMoment(release)),
    createElement('link', { rel: 'alternate', type: 'text/html', href: url }),
    ...(release.isInformational
      ? [createElement('link', { rel: 'related', type: 'text/html', href: release.downloadUrl })]
      : listDownloads(site, release).map(({ build: { downloadUrl, sizeBytes }, label }) =>
          createElement('link', {
            rel: 'enclosure',
            type: 'application/octet-stream',
            href: downloadUrl,
            ...(sizeBytes !== null && { length: String(sizeBytes) }),
            ...(label !== '' && { title: label }),
          }),
        )),
    createElement('content', { type: 'html' }, html),
  ]);
}

/**
 * Returns when a release was published as an ISO date and time in UTC: at midnight of its day, which can be a guess, if its source
 * has no time, because an entry must have one (RFC 4287 section 4.1.2).
 */
const findMoment = ({ publishedAtTime, publishedAt }: Release): string => publishedAtTime ?? `${publishedAt}T00:00:00Z`;
