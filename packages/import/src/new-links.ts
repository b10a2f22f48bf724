/** Maps the links of a page to new addresses, and reports those that have none. */
import { posix } from 'node:path';
import { createGithubAnchors } from './anchors.ts';
import type { Assets } from './assets.ts';
import { deadHref, remoteHref } from './dead-links.ts';
import { type LinkResolver, readLinkBase } from './links.ts';
import type { PlacedPage } from './page-slugs.ts';
import type { Report } from './report.ts';
import type { Site } from './site.ts';
import type { SourceTree } from './tree.ts';

/** The lookups that new links depend on. */
export interface NewLinkInput {
  readonly tree: SourceTree;
  readonly site: Site;
  readonly report: Report;
  readonly resolver: LinkResolver;
  readonly assets: Assets;
  /** The anchors of each page, by its slug. */
  readonly anchors: ReadonlyMap<string, ReadonlySet<string>>;
  /** The text of the heading that became the title of each page, by slug; null if none did. */
  readonly headings: ReadonlyMap<string, string | null>;
  /** Is called with each anchor that a link leads to. */
  use(slug: string, anchor: string): void;
}

/**
 * Creates the function that returns the new address of a link, relative to the page's new file within the folder, and reports what
 * is lost; a URL stays as it is, and the front page is `/`. It must be called for each link in the order of the text; `image` is
 * true for images and videos. Its result is `deadHref` for an empty link, for what leads nowhere and for an image that leads to a
 * page or that no browser shows, and begins with `remoteHref` for an image that is not copied and has a URL.
 */
export function createLinkMap(placedPage: PlacedPage, input: NewLinkInput): (href: string, image: boolean) => string {
  const { resolver, assets, report, site } = input;
  const { file, frontMatter } = placedPage.page;
  const places = createPlaces(input.tree.text(file) ?? '', frontMatter.bodyLine);
  const say = (href: string, message: string): void => report.add(file, places(href), message);

  return (destination, image) => {
    const href = readLinkBase(destination, file).href.replace(/^\/@file\//, '');
    if (href === '') return deadHref;
    const target = resolver.resolve(placedPage, destination);
    if (target.kind === 'page') {
      if (image) return deadHref;
      const anchor = findNewAnchor(target.page, target.anchor, input);
      if (anchor !== null) input.use(target.page.slug, anchor);
      const result = target.page === placedPage ? 'it is text now' : 'it leads to the page now';
      if (target.anchor !== null && anchor === null) say(href, `\`${href}\` led to no heading before: ${result}.`);
      if (target.page === placedPage && target.anchor !== null && anchor !== '')
        return anchor === null ? deadHref : `#${anchor}`;
      return `${makeRelative(placedPage, target.page.target)}${anchor === null || anchor === '' ? '' : `#${anchor}`}`;
    }
    if (target.kind === 'file') {
      const place = assets.place(target.path);
      if ('target' in place) {
        const isThemed = /^(?:gh-(?:dark|light)-mode-only|only-(?:dark|light))$/.test(target.anchor ?? '');
        return `${makeRelative(placedPage, place.target)}${isThemed ? `#${target.anchor}` : ''}`;
      }
      const url = findPublicUrl(target.path, site);
      const end = url === null ? 'The link is text now.' : 'The link leads to the old site.';
      say(href, `\`${href}\` is not copied: ${place.reason}. ${end}`);
      return url === null ? deadHref : image ? `${remoteHref}${url}` : url;
    }
    if (target.kind === 'home') return image ? deadHref : '/';
    if (target.kind === 'url') {
      if (target.wasInternal) say(href, `\`${href}\` is no documentation: the link leads to ${target.href}.`);
      if (!image || target.href.startsWith('data:')) return target.href;
      if (!/^(?:https?:)?\/\//i.test(target.href)) {
        const scheme = target.href.slice(0, target.href.indexOf(':'));
        report.count(
          file,
          places(href),
          `scheme ${scheme}`,
          `no browser shows an image at \`${href}\`: it is text now.`,
        );
        return deadHref;
      }
      const copyPath = assets.fetched(target.href);
      if (copyPath !== null) return makeRelative(placedPage, copyPath);
      const message =
        'an image or a video is on another host, from where no page loads one: it is a link now (--fetch-images copies images).';
      report.count(file, places(href), 'remote image', message);
      return `${remoteHref}${target.href}`;
    }
    const why = target.isLeftOut ? 'leads to a page that is left out' : 'led nowhere before';
    say(href, `\`${href}\` ${why}: it is text now.`);
    return deadHref;
  };
}

const makeRelative = (from: PlacedPage, target: string): string => posix.relative(posix.dirname(from.target), target);

/**
 * Returns the URL of a file on the old site, or null if the site's origin is unknown or the file is in no public folder; the
 * source's root does not count as one.
 */
function findPublicUrl(path: string, { origin, base, publicFolders }: Site): string | null {
  const folder = publicFolders.find((name) => name !== '' && path.startsWith(`${name}/`));
  return folder === undefined || origin === null ? null : `${origin}${base}${path.slice(folder.length)}`;
}

/**
 * Returns the anchor as the new page has it, without `#`: '' for its title and for `top`, or null if it has no such anchor or
 * `anchor` is null.
 */
function findNewAnchor(
  page: PlacedPage,
  anchor: string | null,
  { anchors, headings, site }: NewLinkInput,
): string | null {
  if (anchor === null) return null;
  const pageAnchors = anchors.get(page.slug) ?? new Set<string>();
  if (pageAnchors.has(anchor)) return anchor;
  const heading = headings.get(page.slug) ?? null;
  const plain = anchor.toLowerCase();
  if (plain === 'top' || plain === '_top') return '';
  if (heading !== null && [site.anchorRule()(heading), createGithubAnchors()(heading)].includes(plain)) return '';
  // Systems keep or encode punctuation in different ways, so an anchor with the same letters and digits means the same heading.
  const letters = keepLetters(anchor);
  const [only, second] = [...pageAnchors].filter((other) => keepLetters(other) === letters);
  return letters === '' || second !== undefined
    ? ([...pageAnchors].find((other) => other.toLowerCase() === plain) ?? null)
    : (only ?? null);
}

const keepLetters = (anchor: string): string => anchor.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');

/**
 * Creates the function that returns the line of an address in a text, from 1, and at each later call for the same one that of its
 * next place. The search begins at `firstLine`, which is also the result for an address that has no place or no further one.
 */
function createPlaces(source: string, firstLine: number): (href: string) => number {
  const next = new Map<string, number>();
  const start = source
    .split('\n')
    .slice(0, firstLine - 1)
    .join('\n').length;
  return (href) => {
    const offset = source.indexOf(href, next.get(href) ?? start);
    if (offset === -1) return firstLine;
    next.set(href, offset + href.length);
    return source.slice(0, offset).split('\n').length;
  };
}
