/** Resolves the `source` of a feed: to a URL, a file of the content folder, or a repository on GitHub. */
import { posix } from 'node:path';

/** The place that releases are read from. */
export type SourceLocation =
  /** A URL, which may be invalid. */
  | { readonly kind: 'url' }
  /** A file, by its normalized path in the folder; null if the path leads out of it. */
  | { readonly kind: 'file'; readonly path: string | null }
  /** A repository, by the URL of its releases in GitHub's API. */
  | { readonly kind: 'github'; readonly api: string };

/** The name of a repository; a name that ends like a feed is a file. */
const repository = /^([a-z\d](?:[a-z\d-]{0,38})\/(?!\.)[\w.-]{1,100}?)(?<!\.(?:xml|rss|ya?ml|json))$/i;

/**
 * Returns what a source refers to; a blank one is a file whose path is null. GitHub's API may be at another host, as GitHub
 * Enterprise Server has it.
 */
export function locateSource(source: string): SourceLocation {
  const text = source.trim();
  if (!hasScheme(text)) {
    const name = repository.exec(text)?.[1];
    return name === undefined ? { kind: 'file', path: resolveInFolder(text) } : { kind: 'github', api: toApi(name) };
  }
  const url = URL.parse(text);
  const path = url?.pathname.replace(/\/$/, '') ?? '';
  if (url !== null && /\/repos\/[^/]+\/[^/]+\/releases$/.test(path))
    return { kind: 'github', api: `${url.origin}${path}` };
  const page = url?.host === 'github.com' ? path.replace(/(?:\.git|\/releases(?:\/latest)?)$/, '').slice(1) : '';
  return repository.test(page) ? { kind: 'github', api: toApi(page) } : { kind: 'url' };
}

const toApi = (name: string): string => `https://api.github.com/repos/${name}/releases`;

const hasScheme = (source: string): boolean => /^[a-z][a-z0-9+.-]*:/i.test(source);

function resolveInFolder(source: string): string | null {
  const path = posix.normalize(source);
  return path.startsWith('..') || path.startsWith('/') || path === '.' ? null : path;
}

/**
 * Returns the normalized paths of those sources that are files in the folder. Other sources, and values that are no text, are left
 * out.
 */
export const listSourceFiles = (sources: readonly unknown[]): string[] =>
  sources.flatMap((source) => {
    const location = typeof source === 'string' && source.trim() !== '' ? locateSource(source) : null;
    return location?.kind === 'file' && location.path !== null ? [location.path] : [];
  });
