/** Lists the addresses of the site, so that links that lead nowhere can be found. */
import { decodeUri } from '../base/uri.ts';
import { readSlug } from '../markdown/links.ts';

/** Everything in a folder that a link, a redirect or a keyword can lead to. */
export interface SiteTargets {
  /** Pages by slug; their anchors are null if the text could not be read. */
  readonly pages: ReadonlyMap<string, { readonly file: string; readonly anchors: ReadonlySet<string> | null }>;
  /** Assets by path, such as `assets/logo.svg`. */
  readonly assets: ReadonlyMap<string, unknown>;
  readonly faqIds: ReadonlySet<string>;
}

/** The part of `SiteTargets` that tells whether a path exists. */
interface SiteNames {
  readonly pages: { has(slug: string): boolean };
  readonly assets: { has(path: string): boolean };
  readonly faqIds: ReadonlySet<string>;
}

/**
 * Returns whether a page, an asset or, as in `isSitePath`, anything else may be at a path, which begins with `/` and may be
 * percent-encoded. One that cannot be decoded is looked up as it is.
 */
export function hasPath({ pages, assets, faqIds }: SiteNames, path: string): boolean {
  const plain = decodeUri(path);
  return pages.has(readSlug(plain) ?? '') || assets.has(plain.slice(1)) || isSitePath(plain, faqIds);
}

/** The paths that every site has, besides pages and assets. */
const fixedPaths: ReadonlySet<string> = new Set([
  '/',
  '/docs',
  '/faq',
  '/pricing',
  '/releases',
  '/search',
  '/developers',
  '/developers/authentication',
  '/developers/errors',
  '/developers/reference',
  '/developers/versioning',
  '/developers/changelog',
  '/developers/client.js',
  '/client.tgz',
  '/openapi.json',
  '/openapi.sdk.json',
  '/llms.txt',
  '/llms-full.txt',
  '/sitemap.xml',
  '/robots.txt',
  '/releases.atom',
  '/appcast.xml',
  '/auth.md',
  '/mcp',
  '/mcp/docs',
  '/agent/auth',
  '/sandbox',
]);

/** Paths whose pages come from the feed or from the service: which of them exist is not known when a folder is read. */
const open = /^\/(?:releases|download|developers\/reference|api|oauth|exports|sandbox|\.well-known)\/./;

/** Paths that the service answers by itself, so that no redirect can begin there. */
const reservedPath = /^\/(?:api|oauth|mcp|agent|exports|sandbox|\.well-known)(?:\/|$)/;

/**
 * Returns whether the site may have something other than a documentation page or an asset at a path, which begins with `/` and has
 * no query. The Markdown version of a page counts too.
 */
export const isSitePath = (path: string, faqIds: ReadonlySet<string>): boolean =>
  isOwnPage(path, faqIds) || open.test(removeEnd(path));

/**
 * Returns whether the site has something other than a documentation page or an asset at `path` for certain: nothing below an open
 * prefix such as `/download/`.
 */
export function isOwnPage(path: string, faqIds: ReadonlySet<string>): boolean {
  const page = removeEnd(path);
  const question = /^\/faq\/([^/]+)$/.exec(page)?.[1];
  return fixedPaths.has(page) || fixedPaths.has(path) || (question !== undefined && faqIds.has(question));
}

const removeEnd = (path: string): string => (path === '/' ? path : path.replace(/(?:\.md|\/+)$/, ''));

/** Returns the anchor of a feature on the front page, without `#`. */
export const getFeatureAnchor = (id: string): string => `feature-${id}`;
/** Returns the anchor of a permission on the front page, without `#`. */
export const getPermissionAnchor = (id: string): string => `permission-${id}`;
/** The anchor of the requirements on the front page. */
export const requirementsAnchor = 'requirements';

/**
 * Returns whether a path is `/api`, `/oauth`, `/mcp`, `/agent`, `/exports`, `/sandbox` or `/.well-known`, or below one of them,
 * where no redirect can begin because the service itself responds.
 */
export const isReserved = (path: string): boolean => reservedPath.test(path);

/** Addresses that people try, by the address that has what they are looking for. */
const guesses: Readonly<Record<string, readonly string[]>> = {
  '/download/latest': ['/download', '/downloads', '/latest'],
  '/releases': ['/changelog', '/release-notes', '/whats-new'],
  '/releases.atom': ['/feed', '/feed.xml', '/feed.atom', '/rss', '/rss.xml', '/atom', '/atom.xml', '/releases.xml'],
  '/appcast.xml': ['/appcast', '/sparkle.xml', '/updates.xml'],
  '/openapi.json': ['/openapi', '/openapi.yaml', '/openapi.yml', '/swagger', '/swagger.json', '/api-docs'],
  '/developers': ['/developer', '/redoc'],
  '/developers/client.js': ['/client.js'],
};

const targets = new Map(Object.entries(guesses).flatMap(([target, paths]) => paths.map((path) => [path, target])));

/**
 * Returns the path that has what people look for at a path that they guessed, such as `/releases` for `/changelog`, in capitals
 * too; undefined for every other path.
 */
export const findGuessedPath = (path: string): string | undefined => targets.get(path.toLowerCase());
