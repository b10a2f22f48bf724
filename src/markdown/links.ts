/** Slugs, paths and links of pages: where a link in the Markdown of a content folder leads. */
import { posix } from 'node:path';
import { decodeUri } from '../base/uri.ts';

/** The slug of `docs/index.md`, which is served at `/docs` itself. */
export const rootSlug = 'index';

/**
 * Returns the slug of a file, whose path must begin with `docs/`: `guides/setup` for `docs/guides/setup.md` and for `index.md` or
 * `README.md`, in any case, in `docs/guides/setup/`; `index` for one of these directly in docs/.
 */
export function toSlug(file: string): string {
  const path = file.slice('docs/'.length).replace(/\.md$/, '');
  return path.replace(/(^|\/)(?:index|readme)$/i, '') || rootSlug;
}

/** Returns the path of a page on the site, such as `/docs/guides/setup`, or `/docs` for the slug `index`. */
export const getDocPath = (slug: string): string => (slug === rootSlug ? '/docs' : `/docs/${slug}`);

/**
 * Returns the slug in a path of the site, with or without a slash at its end: `index` for `/docs`, null for a path outside the
 * documentation.
 */
export function readSlug(path: string): string | null {
  const [, rest] = /^\/docs(?:\/(.*))?$/.exec(path.replace(/\/+$/, '')) ?? [null, null];
  return rest === null ? null : rest || rootSlug;
}

/** Matches the path of an asset. In docs/, every path with an extension other than `.md` is one. */
const assetPath = /^\/?((?:assets\/|docs\/.*\.(?!md$)[A-Za-z0-9]+$).*)$/;

/**
 * Creates the map from a link such as `other.md#anchor`, `../assets/x.png`, `/docs/x/` or `#anchor` to a URL below `siteRoot`: of a
 * page, an asset, or a path of the site such as `/pricing`; nothing of it has to exist. With an empty `siteRoot` it becomes a path.
 * The URL of a page has the anchor, decoded, and no query; that of an asset has neither. Every other link stays as it is.
 * @param from the file with the link, such as `docs/guides/setup.md`; null for a text outside docs/, whose links are `docs/x.md`
 * and whose `#anchor` stays as it is
 */
export const createAbsoluteLink =
  (siteRoot: string, from: string | null) =>
  (href: string): string => {
    const { path, anchor } = resolveLink(from, href) ?? { path: null, anchor: null };
    if (path === null || (path === '' && from === null)) return href;
    const slug = path === '' ? toSlug(from ?? '') : findSlug(path);
    if (slug !== null) return `${siteRoot}${getDocPath(slug)}${anchor === null ? '' : `#${anchor}`}`;
    const asset = assetPath.exec(path)?.[1];
    if (asset !== undefined) return `${siteRoot}/${asset}`;
    return href.startsWith('/') ? `${siteRoot}${href}` : href;
  };

/** Returns whether a link begins with a scheme, such as `mailto:`, or with `//`. A URL of this site does too. */
export const isElsewhere = (href: string): boolean => /^([a-z][a-z0-9+.-]*:|\/\/)/i.test(href);

/**
 * Returns the slug of the page at a path of the content folder (`docs/x.md`, `docs/x`) or of the site (`/docs/x`), whether or not
 * it exists. Returns null for a path outside the documentation, and for one of the folder with another extension.
 */
export function findSlug(path: string): string | null {
  const sitePath = path.startsWith('/') ? path : `/${path}`;
  const slug = readSlug(sitePath);
  if (slug === null) return null;
  if (path.startsWith('/')) return slug.endsWith('.md') ? slug.slice(0, -'.md'.length) : slug;
  const last = slug.slice(slug.lastIndexOf('/') + 1);
  return last.includes('.') && !last.endsWith('.md') ? null : toSlug(`docs/${slug}`);
}

/**
 * Resolves a link in the file `from`, or in a text outside docs/ if that is null, to a path from the content folder, or to one of
 * the site, which begins with `/`. The path is decoded, empty for the text itself, and has no query; nothing has to exist there.
 * The anchor is decoded and has no `#`; it is null if there is none. Returns null if the link is empty, begins with a scheme or
 * `//`, or is out of the folder.
 */
export function resolveLink(from: string | null, href: string): { path: string; anchor: string | null } | null {
  if (href === '' || isElsewhere(href)) return null;
  const hash = href.indexOf('#');
  const anchor = (hash === -1 ? '' : decodeUri(href.slice(hash + 1))) || null;
  const linkPath = decodeUri((hash === -1 ? href : href.slice(0, hash)).replace(/\?.*$/s, ''));
  if (linkPath === '') return { path: '', anchor };
  if (linkPath.startsWith('/')) return { path: posix.normalize(linkPath), anchor };
  // The relative path of a page starts with `../` from releases/ and prompts/ and without it from faq.yaml: both are accepted.
  const base = from === null ? [] : from.split('/').slice(0, -1);
  const segments = (from === null ? linkPath.replace(/^\.\.\//, '') : linkPath).split('/');
  for (const segment of segments) {
    if (segment === '..') {
      if (base.pop() === undefined) return null;
    } else if (segment !== '.') base.push(segment);
  }
  return { path: base.join('/'), anchor };
}
