/** Writes `/releases.atom`: releases of the default channel as an Atom feed (RFC 4287). */
import type { Release } from '../../catalog/catalog.ts';
import { filled } from '../../content/words.ts';
import { listDownloads } from '../downloads.ts';
import { releaseNotes } from '../release-entry.ts';
import { releaseDay, releaseLabels, releaseName, releasePath } from '../release-words.ts';
import { requireReleases } from '../releases.ts';
import type { Site } from '../site.ts';
import { element, type Xml, xml } from './xml.ts';

/** Maximum number of releases in the feed. */
const maxEntries = 50;

/** Returns the feed. Throws `upstream_unavailable` while no source of releases has ever been read. */
export async function releasesAtom(site: Site): Promise<string> {
  requireReleases(site);
  const { baseUrl, catalog } = site;
  const { name, vendor } = site.product;
  const releases = catalog.listReleases(null).slice(0, maxEntries);
  const notes = await site.renderer.html(releases.map((release) => releaseNotes(site, release)));
  const newest = releases.map(findMoment).toSorted().at(-1) ?? '1970-01-01T00:00:00Z';
  return xml(
    element('feed', { xmlns: 'http://www.w3.org/2005/Atom', 'xml:lang': site.language, 'xml:base': `${baseUrl}/` }, [
      element('id', {}, `${baseUrl}/releases`),
      element('title', {}, filled(site.words.releases_of, { name })),
      element('subtitle', {}, filled(site.words.releases_subtitle, { name })),
      element('updated', {}, newest),
      element('link', { rel: 'self', type: 'application/atom+xml', href: `${baseUrl}/releases.atom` }),
      element('link', { rel: 'alternate', type: 'text/html', href: `${baseUrl}/releases` }),
      element('icon', {}, new URL(site.look.icon.href, baseUrl).href),
      element('author', {}, [
        element('name', {}, vendor.name),
        ...(vendor.url === undefined ? [] : [element('uri', {}, vendor.url)]),
      ]),
      ...releases.map((release, index) => entry(site, release, (notes[index] ?? '').trim())),
    ]),
  );
}

function entry(site: Site, release: Release, html: string): Xml {
  const url = site.baseUrl + releasePath(release);
  const labels = releaseLabels(site, release).map(({ text }) => text);
  const title = `${site.product.name} ${releaseName(release)}${labels.length === 0 ? '' : ` (${labels.join(', ')})`}`;
  return element('entry', {}, [
    element('id', {}, url),
    element('title', {}, title),
    ...(releaseDay(release) === null ? [] : [element('published', {}, findMoment(release))]),
    element('updated', {}, findMoment(release)),
    element('link', { rel: 'alternate', type: 'text/html', href: url }),
    ...(release.isInformational
      ? [element('link', { rel: 'related', type: 'text/html', href: release.downloadUrl })]
      : listDownloads(site, release).map(({ build: { downloadUrl, sizeBytes }, label }) =>
          element('link', {
            rel: 'enclosure',
            type: 'application/octet-stream',
            href: downloadUrl,
            ...(sizeBytes !== null && { length: String(sizeBytes) }),
            ...(label !== '' && { title: label }),
          }),
        )),
    element('content', { type: 'html' }, html),
  ]);
}

/** Returns when a release was published: at midnight of the guessed day if its source has no date, because an entry must have one (RFC 4287 section 4.1.2). */
const findMoment = ({ publishedAtTime, publishedAt }: Release): string => publishedAtTime ?? `${publishedAt}T00:00:00Z`;
