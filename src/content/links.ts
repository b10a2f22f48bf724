/** Links between the files of a content folder: where they lead, and which lead nowhere. */
import { posix } from 'node:path';
import { didYouMean } from '../base/near-miss.ts';
import type { Fault } from './content.ts';
import type { PageReading, PlacedLink } from './pages.ts';
import { isSitePath } from './site-paths.ts';
import { docPath, slugIn, slugOf } from './slugs.ts';
import type { Suggest } from './suggestions.ts';

/**
 * The page that a link such as `other.md#anchor`, `../x`, `/docs/x/` or `#anchor` leads to, or null for every other link.
 * `from` is the file that has the link, such as `docs/guides/setup.md`; null stands for a text outside docs/, from where a
 * link is `docs/x.md`. Whether there is such a page is not looked at.
 */
export function resolvePageLink(from: string | null, href: string): { slug: string; anchor: string | null } | null {
  const target = resolveLink(from, href);
  if (target === null) return null;
  const { path, anchor } = target;
  if (path === '') return from === null ? null : { slug: slugOf(from), anchor };
  const slug = slugAt(path);
  return slug === null ? null : { slug, anchor };
}

/** The path of the asset, such as `assets/logo.svg`, that a link such as `../assets/logo.svg` leads to, or null. */
export function resolveAssetLink(from: string | null, href: string): string | null {
  const path = resolveLink(from, href)?.path.replace(/^\//, '');
  return path?.startsWith('assets/') ? path : null;
}

export interface LinkTargets {
  /** By slug. */
  readonly pages: ReadonlyMap<string, PageReading>;
  /** Paths. */
  readonly assets: ReadonlySet<string>;
  readonly faqIds: ReadonlySet<string>;
  /** Old paths that lead somewhere. */
  readonly redirected: (path: string) => boolean;
}

/** Says what is wrong with a link: nothing, or one fault. */
export type LinkCheck = (link: PlacedLink, from: string | null, ownAnchors: ReadonlySet<string> | null) => Fault[];

/** Anchors are null where they are not known, since the text could not be read. */
export function createLinkCheck({ pages, assets, faqIds, redirected }: LinkTargets, suggest: Suggest): LinkCheck {
  const files = [...[...pages.values()].map(({ file }) => file), ...assets];
  const sitePaths = [...[...pages.keys()].map(docPath), ...[...assets].map((path) => `/${path}`)];

  return (link, from, ownAnchors) => {
    const { file, line, column, href } = link;
    const say = (message: string): Fault[] => [{ file, line, column, message }];
    const toAnchor = (anchor: string | null, anchors: ReadonlySet<string> | null, where: string): Fault[] => {
      if (anchor === null || anchors === null || anchors.has(anchor)) return [];
      const suggestions = suggest(anchor, anchors).map((found) => `#${found}`);
      return say(`\`${href}\` leads to no heading of ${where}.${didYouMean(suggestions)}`);
    };

    if (href === '') return say(`this ${link.image ? 'image' : 'link'} has no address.`);
    if (isElsewhere(href)) return [];
    const target = resolveLink(from, href);
    if (target === null) return say(`\`${href}\` leads out of the content folder.`);
    const { path, anchor } = target;
    if (path === '' && !link.image) return toAnchor(anchor, ownAnchors, 'this text');
    if (assets.has(path.replace(/^\//, ''))) return [];
    const slug = slugAt(path);
    const page = slug === null ? undefined : pages.get(slug);
    if (page !== undefined && !link.image) return toAnchor(anchor, page.anchors, page.file);
    if (page !== undefined) return say(`\`${href}\` is a page: an image is a file in assets/.`);
    if (path.startsWith('/')) {
      if (!link.image && (isSitePath(path, faqIds) || redirected(path))) return [];
      return say(`\`${href}\` leads nowhere: the site has nothing at ${path}.${didYouMean(suggest(path, sitePaths))}`);
    }
    const base = from === null ? '' : posix.dirname(from);
    const suggestions = suggest(path, files).map((found) => posix.relative(base, found));
    return say(`\`${href}\` leads nowhere: there is no page or asset ${path}.${didYouMean(suggestions)}`);
  };
}

/** A URL, or the address of another host. */
const isElsewhere = (href: string): boolean => /^([a-z][a-z0-9+.-]*:|\/\/)/i.test(href);

/** The slug of the page at a path of the folder (`docs/x.md`, `docs/x`) or of the site (`/docs/x`); null for other paths. */
function slugAt(path: string): string | null {
  const sitePath = path.startsWith('/') ? path : `/${path}`;
  const slug = slugIn(sitePath);
  if (slug === null) return null;
  if (path.startsWith('/')) return slug.endsWith('.md') ? slug.slice(0, -'.md'.length) : slug;
  const last = slug.slice(slug.lastIndexOf('/') + 1);
  return last.includes('.') && !last.endsWith('.md') ? null : slugOf(`docs/${slug}`);
}

/** The path from the content folder, or of the site where it begins with `/`; empty for the text itself, null when the link is elsewhere or climbs out. */
function resolveLink(from: string | null, href: string): { path: string; anchor: string | null } | null {
  if (href === '' || isElsewhere(href)) return null;
  const hash = href.indexOf('#');
  const anchor = (hash === -1 ? '' : decode(href.slice(hash + 1))) || null;
  const written = decode((hash === -1 ? href : href.slice(0, hash)).replace(/\?.*$/s, ''));
  if (written === '') return { path: '', anchor };
  if (written.startsWith('/')) return { path: posix.normalize(written), anchor };
  // From releases/ and prompts/ the way to a page starts with `../`, from faq.yaml it does not: both are read.
  const base = from === null ? [] : from.split('/').slice(0, -1);
  const segments = (from === null ? written.replace(/^\.\.\//, '') : written).split('/');
  for (const segment of segments) {
    if (segment === '..') {
      if (base.pop() === undefined) return null;
    } else if (segment !== '.') base.push(segment);
  }
  return { path: base.join('/'), anchor };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
