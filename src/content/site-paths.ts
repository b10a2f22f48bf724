/** What the site has besides pages and assets, so that a link to it can be told from one that leads nowhere. */

const fixed: ReadonlySet<string> = new Set([
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
const reserved = /^\/(?:api|oauth|mcp|agent|exports|sandbox|\.well-known)(?:\/|$)/;

/** `path` begins with `/` and has no query. A page's markdown version counts with it. */
export const isSitePath = (path: string, faqIds: ReadonlySet<string>): boolean =>
  isOwnPage(path, faqIds) || open.test(withoutEnd(path));

/** Tells whether the site has a page at `path` for certain: nothing below an open prefix such as `/download/`. */
export function isOwnPage(path: string, faqIds: ReadonlySet<string>): boolean {
  const page = withoutEnd(path);
  const question = /^\/faq\/([^/]+)$/.exec(page)?.[1];
  return fixed.has(page) || fixed.has(path) || (question !== undefined && faqIds.has(question));
}

const withoutEnd = (path: string): string => (path === '/' ? path : path.replace(/(?:\.md|\/+)$/, ''));

/** Where the front page has a feature, a permission and the requirements. */
export const featureAnchor = (id: string): string => `feature-${id}`;
export const permissionAnchor = (id: string): string => `permission-${id}`;
export const requirementsAnchor = 'requirements';

export const isReserved = (path: string): boolean => reserved.test(path);
