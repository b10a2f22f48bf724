/** Links between the files of a content folder: where they lead, and which lead nowhere. */
import { posix } from 'node:path';
import { didYouMean } from '../base/near-miss.ts';
import type { Fault } from './content.ts';
import type { PageReading, PlacedLink } from './pages.ts';
import type { Suggest } from './suggestions.ts';

/**
 * The page that a relative link such as `other.md#anchor`, `../x.md` or `#anchor` leads to, or null for every other link.
 * `fromSlug` is the page that has the link; null stands for a text outside docs/, from where a link is `docs/x.md`.
 * Whether there is such a page is not looked at.
 */
export function resolvePageLink(fromSlug: string | null, href: string): { slug: string; anchor: string | null } | null {
  const target = resolveLink(fromSlug, href);
  if (target === null) return null;
  const { path, anchor } = target;
  if (path === '') return fromSlug === null ? null : { slug: fromSlug, anchor };
  const slug = /^docs\/(.+)\.md$/.exec(path)?.[1];
  return slug === undefined ? null : { slug, anchor };
}

/** The path of the asset, such as `assets/logo.svg`, that a relative link such as `../assets/logo.svg` leads to, or null. */
export function resolveAssetLink(fromSlug: string | null, href: string): string | null {
  const path = resolveLink(fromSlug, href)?.path;
  return path?.startsWith('assets/') ? path : null;
}

export interface LinkTargets {
  /** By slug. */
  readonly pages: ReadonlyMap<string, PageReading>;
  /** Paths. */
  readonly assets: ReadonlySet<string>;
}

/** Says what is wrong with a link: nothing, or one fault. */
export type LinkCheck = (link: PlacedLink, fromSlug: string | null, ownAnchors: ReadonlySet<string> | null) => Fault[];

/** Anchors are null where they are not known, since the text could not be read. */
export function createLinkCheck({ pages, assets }: LinkTargets, suggest: Suggest): LinkCheck {
  const paths = [...[...pages.keys()].map((slug) => `docs/${slug}.md`), ...assets];

  return (link, fromSlug, ownAnchors) => {
    const { file, line, column, href } = link;
    const say = (message: string): Fault[] => [{ file, line, column, message }];
    const toAnchor = (anchor: string | null, anchors: ReadonlySet<string> | null, where: string): Fault[] => {
      if (anchor === null || anchors === null || anchors.has(anchor)) return [];
      const suggestions = suggest(anchor, anchors).map((found) => `#${found}`);
      return say(`\`${href}\` leads to no heading of ${where}.${didYouMean(suggestions)}`);
    };

    if (href === '') return say(`this ${link.image ? 'image' : 'link'} has no address.`);
    if (isElsewhere(href)) return [];
    const target = resolveLink(fromSlug, href);
    if (target === null) return say(`\`${href}\` leads out of the content folder.`);
    const { path, anchor } = target;
    if (path === '' && !link.image) return toAnchor(anchor, ownAnchors, 'this text');
    if (assets.has(path)) return [];
    const slug = resolvePageLink(fromSlug, href)?.slug;
    const page = slug === undefined ? undefined : pages.get(slug);
    if (page !== undefined && !link.image) return toAnchor(anchor, page.anchors, path);
    if (page !== undefined) return say(`\`${href}\` is a page: an image is a file in assets/.`);
    const base = fromSlug === null ? '' : posix.dirname(`docs/${fromSlug}`);
    const suggestions = suggest(path, paths).map((found) => posix.relative(base, found));
    return say(`\`${href}\` leads nowhere: there is no page or asset ${path}.${didYouMean(suggestions)}`);
  };
}

/** A URL, or a path of the site. */
const isElsewhere = (href: string): boolean => /^([a-z][a-z0-9+.-]*:|\/)/i.test(href);

/** The path from the content folder, empty for the text itself, or null when the link is elsewhere or climbs out. */
function resolveLink(fromSlug: string | null, href: string): { path: string; anchor: string | null } | null {
  if (href === '' || isElsewhere(href)) return null;
  const hash = href.indexOf('#');
  const anchor = hash === -1 ? '' : decode(href.slice(hash + 1));
  const written = decode((hash === -1 ? href : href.slice(0, hash)).replace(/\?.*$/s, ''));
  if (written === '') return { path: '', anchor: anchor || null };
  // From releases/ and prompts/ the way to a page starts with `../`, from faq.yaml it does not: both are read.
  const base = fromSlug === null ? [] : ['docs', ...fromSlug.split('/').slice(0, -1)];
  const segments = (fromSlug === null ? written.replace(/^\.\.\//, '') : written).split('/');
  for (const segment of segments) {
    if (segment === '..') {
      if (base.pop() === undefined) return null;
    } else if (segment !== '.') base.push(segment);
  }
  return { path: base.join('/'), anchor: anchor || null };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
