/** The keys by which a cache finds what it stored, to purge it: they name what lasts, never a revision. */
import { sha256Hex } from './hash.ts';

/**
 * A response carries the keys of everything that it is made from, so that purging what changed purges each response that did.
 * Characters are those that every vendor accepts; some fold case.
 */
export const surrogateKeys = {
  /** On every cacheable response: made by this build, at this address. */
  all: 'all',
  /** On what is made from the content folder; changes with what every page shows, such as the product's name. */
  content: 'content',
  /** On what shows the update feed. */
  feed: 'feed',
  /** On pages with the documentation's menu. */
  menu: 'menu',
  /** On what is made from many sources, such as search and the sitemap; changes with any of them. */
  mixed: 'mixed',
} as const;

export const resourceKey = (name: string): string => `res-${name}`;

/** Of a documentation page in every representation. */
export function pageKey(slug: string): string {
  // The slash is the only character to replace, and the dot is in no such slug: two slugs never share a key.
  if (/^[a-z0-9-]+(?:\/[a-z0-9-]+)*$/.test(slug) && slug.length <= 100) return `page-${slug.replaceAll('/', '.')}`;
  return `page..${sha256Hex(slug).slice(0, 16)}`;
}

export const assetKey = (path: string): string => `asset-${sha256Hex(path).slice(0, 16)}`;

/** Of a response that is made from what the keys name; `all` is added. */
export function keyHeaders(keys: readonly string[]): { 'surrogate-key': string; 'cache-tag': string } {
  const listed = [surrogateKeys.all, ...keys];
  return { 'surrogate-key': listed.join(' '), 'cache-tag': listed.join(',') };
}

const { content, mixed } = surrogateKeys;

/** Of a response that nothing more exact is known of: it is purged with any change. */
export const mixedHeaders = keyHeaders([content, mixed]);
