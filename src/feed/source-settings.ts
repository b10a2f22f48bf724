/** Turns a source in product.yaml into the settings that the feed and the commands take. */
import { resolve } from 'node:path';
import { formatPath } from '../base/value-path.ts';
import type { Content } from '../content/content.ts';
import type { Product } from '../content/product-schema.ts';
import { locateSource } from '../content/source-location.ts';
import type { ReleaseSource } from '../content/source-schema.ts';
import { jitter } from './feed.ts';
import { minGithubSeconds } from './github-fetch.ts';

/**
 * The settings of a source. `name` is what messages call it: its URL, its path in the folder, or its repository; `path` is its
 * place in product.yaml, such as `feed[1]`. `source` is its URL, its absolute path, or the URL in GitHub's API; `accept` and
 * `baseUrl` are missing where product.yaml has none, and `fetchesNotes` is whether notes are fetched that the source only links to.
 * `hints` are the facts for files that lack them.
 */
export type SourceSettings = ReturnType<typeof readSourceSettings>;

/**
 * Returns the settings that a source is fetched and verified with, from its entry in product.yaml. Without `signature` in the
 * entry, the policy is `required` if it has keys and `off` if not; the interval of a GitHub repository is long enough for its API.
 */
export function readSourceSettings(
  entry: ReleaseSource,
  { directory, product }: Pick<Content, 'directory'> & { readonly product: Pick<Product, 'language'> },
) {
  const { source, public_keys: publicKeys, signature, accept, base_url: baseUrl, os, arch, channel, assets } = entry;
  const location = locateSource(source);
  const isGithub = location.kind === 'github';
  return {
    name: source,
    path: formatPath(entry.path),
    entry,
    source: location.kind === 'github' ? location.api : location.kind === 'file' ? resolve(directory, source) : source,
    isFile: location.kind === 'file',
    isGithub,
    publicKeys,
    policy: signature ?? (publicKeys.length > 0 ? ('required' as const) : ('off' as const)),
    ...(accept !== undefined && { accept }),
    ...(baseUrl !== undefined && { baseUrl }),
    hints: { os, arch, channel, tagPrefix: entry.tag_prefix, assets },
    languages: [product.language],
    fetchesNotes: entry.notes === 'fetch',
    // Jitter shortens an interval by up to the share `jitter`; even then, checks of GitHub are `minGithubSeconds` apart.
    intervalSeconds: Math.max(entry.interval_seconds, isGithub ? minGithubSeconds / (1 - jitter) : 0),
  };
}
