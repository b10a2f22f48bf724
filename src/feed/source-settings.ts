/** What product.yaml says of a source, as the feed and the commands take it. */
import { resolve } from 'node:path';
import { nameOf } from '../base/value-path.ts';
import type { Content } from '../content/content.ts';
import { locateSource } from '../content/source-location.ts';
import type { ReleaseSource } from '../content/source-schema.ts';
import { type FeedOptions, jitter } from './feed.ts';
import { minGithubSeconds } from './github-fetch.ts';
import type { SourceHints } from './parse-item.ts';
import type { VerificationRules } from './verify-feed.ts';

/** The settings of a source. */
export interface SourceSettings extends VerificationRules, Pick<FeedOptions, 'baseUrl' | 'fetchesNotes' | 'languages'> {
  /** What messages call it: its URL, its path in the folder, or its repository. */
  readonly name: string;
  readonly path: string;
  /** What product.yaml has. */
  readonly entry: ReleaseSource;
  readonly isFile: boolean;
  readonly isGithub: boolean;
  readonly hints: SourceHints;
  readonly intervalSeconds: number;
}

/** Returns the settings of a source of a folder. */
export function readSourceSettings(
  entry: ReleaseSource,
  { directory, product }: Pick<Content, 'directory' | 'product'>,
): SourceSettings {
  const { source, public_keys: publicKeys, signature, accept, base_url: baseUrl, os, arch, channel, assets } = entry;
  const location = locateSource(source);
  return {
    name: source,
    path: nameOf(entry.path),
    entry,
    source: location.kind === 'github' ? location.api : location.kind === 'file' ? resolve(directory, source) : source,
    isFile: location.kind === 'file',
    isGithub: location.kind === 'github',
    publicKeys,
    policy: signature ?? (publicKeys.length > 0 ? 'required' : 'off'),
    ...(accept !== undefined && { accept }),
    ...(baseUrl !== undefined && { baseUrl }),
    hints: { os, arch, channel, tagPrefix: entry.tag_prefix, assets },
    languages: [product.language],
    fetchesNotes: entry.notes === 'fetch',
    // Checks are spread by some time around the interval.
    intervalSeconds:
      location.kind === 'github'
        ? Math.max(entry.interval_seconds, minGithubSeconds / (1 - jitter))
        : entry.interval_seconds,
  };
}
