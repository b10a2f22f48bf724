/** Resolves the links of the old site: to a page, to a file, to another site, or to nothing. */
import { posix } from 'node:path';
import { decodeUri, rewriteLinks } from 'colophon/authoring';
import { resolveAlias } from './literal.ts';
import { findRedirectTarget } from './old-redirects.ts';
import { normalizeAddress, type PlacedPage } from './page-slugs.ts';
import type { Site } from './site.ts';
import type { SourceTree } from './tree.ts';

/**
 * The target of a link: a page, a file of the source, a URL, the old site's front page, or nothing. An anchor has no `#`, and is
 * null if the link has none. `wasInternal` says that a link within the old site led to a part that is not imported, and `isLeftOut`
 * that the page is left out.
 */
export type Target =
  | { readonly kind: 'page'; readonly page: PlacedPage; readonly anchor: string | null }
  | { readonly kind: 'file'; readonly path: string; readonly anchor: string | null }
  | { readonly kind: 'url'; readonly href: string; readonly wasInternal: boolean }
  | { readonly kind: 'home' }
  | { readonly kind: 'dead'; readonly isLeftOut: boolean };

/** The lookup of links between the pages of the old site. */
export interface LinkResolver {
  /** Returns the target of the link that a page has as `href`; an empty one leads to the page itself. */
  resolve(page: PlacedPage, href: string): Target;
  /** Returns the imported page at a path of the old site, base included, or null if there is none. */
  pageAt(address: string): PlacedPage | null;
}

const dead: Target = { kind: 'dead', isLeftOut: false };
const leftOut: Target = { kind: 'dead', isLeftOut: true };
const extensions = ['', '.md', '.mdx', '/index.md', '/index.mdx', '/README.md', '/_index.md'];

/**
 * Creates the lookup. `pages` are those that are imported, by file. A page's own address takes precedence over the aliases of
 * others.
 */
export function createLinkResolver(tree: SourceTree, site: Site, pages: ReadonlyMap<string, PlacedPage>): LinkResolver {
  const byAddress = new Map<string, PlacedPage>();
  for (const placedPage of pages.values()) {
    for (const address of [placedPage.page.address, ...placedPage.page.aliases]) {
      const key = normalizeAddress(address);
      if (address === placedPage.page.address || !byAddress.has(key)) byAddress.set(key, placedPage);
    }
  }
  const pageAt = (address: string): PlacedPage | null => byAddress.get(normalizeAddress(address)) ?? null;

  /** Resolves a path in the source, whose file may be written without its extension, to a page or a file; null if there is neither. */
  const findFile = (path: string, anchor: string | null): Target | null => {
    if (path.startsWith('..')) return null;
    const plain = path.replace(/\/+$/, '');
    for (const end of extensions) {
      const page = pages.get(`${plain}${end}`.replace(/^\//, ''));
      if (page !== undefined) return { kind: 'page', page, anchor };
    }
    return tree.has(plain) && plain !== '' ? { kind: 'file', path: posix.normalize(plain), anchor } : null;
  };

  /**
   * Resolves a path that begins with `/`, as links on the old site have it, or returns null if it leads nowhere; the target of a
   * page that is left out is `dead`. `steps` is the number of redirects that led to the path; after six, no further one is
   * followed.
   */
  const findPath = (path: string, anchor: string | null, steps: number): Target | null => {
    const full = site.base !== '' && path.startsWith(`${site.base}/`) ? path : `${site.base}${path}`;
    const page = pageAt(full) ?? pageAt(path);
    if (page !== null) return { kind: 'page', page, anchor };
    const bare = path.startsWith(`${site.base}/`) ? path.slice(site.base.length) : path;
    for (const folder of site.publicFolders) {
      const file = posix.join(folder, decodeUri(bare)).replace(/^\//, '');
      if (tree.has(file) && !/\.mdx?$/.test(file)) return { kind: 'file', path: file, anchor };
    }
    if (normalizeAddress(bare) === '/') return { kind: 'home' };
    if (site.leftOut.has(normalizeAddress(full))) return leftOut;
    const newPath = steps > 5 ? null : findRedirectTarget(site.redirects, bare);
    if (newPath !== null) return to(newPath, anchor, steps + 1);
    const places = ['', ...site.publicFolders].map((folder) => posix.join(folder, decodeUri(bare)).replace(/^\//, ''));
    const file = places.map((place) => findFile(place, anchor)).find((candidate) => candidate !== null);
    return file ?? findElsewhere(full, bare, anchor);
  };

  const to = (href: string, anchor: string | null, steps: number): Target | null => {
    if (/^https?:/i.test(href)) return { kind: 'url', href, wasInternal: false };
    const [path = '', own] = href.split('#');
    return findPath(path.replace(/\?.*$/, ''), own ?? anchor, steps);
  };

  const findElsewhere = (full: string, bare: string, anchor: string | null): Target | null => {
    const isKnown = site.elsewhere.some(
      (prefix) => bare === prefix || bare.startsWith(`${prefix.replace(/\/$/, '')}/`),
    );
    const isOutside =
      site.documentation !== '' && full !== site.documentation && !full.startsWith(`${site.documentation}/`);
    if (site.origin === null || !(isKnown || isOutside)) return null;
    return { kind: 'url', href: `${site.origin}${full}${anchor === null ? '' : `#${anchor}`}`, wasInternal: true };
  };

  const findRelative = (page: PlacedPage, from: string, path: string, anchor: string | null): Target | null => {
    const file = posix.normalize(posix.join(posix.dirname(from), decodeUri(path)));
    const address = page.page.address === '/' ? '/' : `${page.page.address}/`;
    const isIndex = /(?:^|\/)(?:_?index|readme)\.\w+$/i.test(page.page.file);
    const folder = isIndex || site.linksFrom === 'address' ? address : posix.join(address, '..', '/');
    const byFile = (): Target | null => findFile(file, anchor);
    const byAddress = (start: string): Target | null => {
      const url = URL.parse(path, `http://old.invalid${start}`);
      return url === null ? null : createPageTarget(pageAt(url.pathname), anchor);
    };
    const pathFromFolder = URL.parse(path, `http://old.invalid${folder}`)?.pathname ?? '/';
    const isFile = site.linksFrom === 'file' || /\.mdx?$/.test(path);
    const first = isFile ? byFile() : byAddress(folder);
    const second = isFile ? byAddress(folder) : byFile();
    // Many hosts add a slash to the address of a page, so a link may be relative to the address with the slash.
    return first ?? second ?? byAddress(address) ?? findPath(pathFromFolder, anchor, 0);
  };

  return {
    pageAt,
    resolve(page, destination) {
      const { from, href } = readLinkBase(destination, page.page.file);
      if (/^(?:mailto|tel|sms|irc|ftp):/i.test(href) || href.startsWith('//'))
        return { kind: 'url', href, wasInternal: false };
      const sitePath = findOwnPath(href, site);
      if (sitePath === null && /^[a-z][a-z0-9+.-]*:/i.test(href) && !href.startsWith('pathname:')) {
        return { kind: 'url', href, wasInternal: false };
      }
      const local = (sitePath ?? href)
        .replace(/^pathname:\/\//, '')
        .replace(/^@site\//, '/@file/')
        .replace(/^[@~]\//, '/@file/');
      const hash = local.indexOf('#');
      const anchor = (hash === -1 ? '' : decodeUri(local.slice(hash + 1))) || null;
      const path = (hash === -1 ? local : local.slice(0, hash)).replace(/\?.*$/, '');
      if (path === '') return { kind: 'page', page, anchor };
      if (path.startsWith('/@file/')) {
        const file = decodeUri(path.slice('/@file/'.length));
        return findFile(file, anchor) ?? findFile(`src/${file}`, anchor) ?? findPath(`/${file}`, anchor, 0) ?? dead;
      }
      const alias = /^[@~#]/.test(path)
        ? resolveAlias(tree, decodeUri(path)).find((file) => tree.has(file))
        : undefined;
      if (alias !== undefined) return { kind: 'file', path: alias, anchor };
      const target = path.startsWith('/') ? findPath(path, anchor, 0) : findRelative(page, from, path, anchor);
      // A whole URL of the old site that leads to no imported page remains a link to the old site.
      if (sitePath !== null && (target === null || target.kind !== 'page'))
        return { kind: 'url', href, wasInternal: false };
      return target ?? dead;
    },
  };
}

const createPageTarget = (page: PlacedPage | null, anchor: string | null): Target | null =>
  page === null ? null : { kind: 'page', page, anchor };

/**
 * Returns what follows the origin, from the first `/`, in a whole URL that is on the old site. Returns null for every other link,
 * for the origin without a `/` behind it, and if the origin is unknown.
 */
function findOwnPath(href: string, { origin }: Site): string | null {
  if (origin === null || !href.startsWith(`${origin}/`)) return null;
  return href.slice(origin.length);
}

/** URL scheme for links of an included file: `included-from:<encoded file>!<href as written>`; see `readLinkBase`. */
const includedScheme = 'included-from:';

/** Marks the relative links in the Markdown of an included file, so that they still start from that file, wherever its text is put. */
export const markIncludedLinks = (markdown: string, file: string): string =>
  rewriteLinks(
    markdown,
    (href) => (isRelative(href) ? `${includedScheme}${encodeURIComponent(file)}!${href}` : href),
    'page',
  );

const isRelative = (href: string): boolean => href !== '' && !/^(?:[a-z][a-z0-9+.-]*:|[/#@~{])/i.test(href);

/**
 * Returns the file that a link starts from, which is `page`, that of the page with the link, unless `markIncludedLinks` marked it,
 * and the link as it was written.
 */
export function readLinkBase(href: string, page: string): { from: string; href: string } {
  if (!href.startsWith(includedScheme)) return { from: page, href };
  const end = href.indexOf('!');
  return { from: decodeURIComponent(href.slice(includedScheme.length, end)), href: href.slice(end + 1) };
}
