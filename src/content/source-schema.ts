/** The shape of `feed` in product.yaml: the sources of releases. */
import { z } from 'zod';
import { systemNames } from '../base/systems.ts';
import type { Path } from '../base/value-path.ts';
import { architecture, channelName, object, pattern, text, webAddress } from './field-schemas.ts';

/** The schema of a public key. */
export const publicKeySchema = pattern(
  /^(?:[A-Za-z0-9+/]{43}=|[A-Za-z0-9+/]{80,400}={0,2})$/,
  'must be the base64 of 32 bytes, as in SUPublicEDKey, or `pubkey` of tauri.conf.json',
);

const assetRule = z.strictObject({
  match: text(200).describe('The name of a file, in which `*` stands for any text, such as `Larder-*.zip`.'),
  os: z.enum(systemNames).optional().describe('The system that the file is for.'),
  arch: z.enum(['arm64', 'x86_64', 'universal']).optional().describe('The processors that run it.'),
});

/** The schema of one source. */
export const sourceSchema = object('A source of releases.', {
  source: text(1000).describe(
    'An https URL or a path in this folder, of an appcast, electron-builder’s latest*.yml or Tauri’s latest.json; or a GitHub repository, such as `acme/larder`.',
  ),
  public_keys: z
    .array(publicKeySchema)
    .max(10)
    .default([])
    .describe('Ed25519 keys of which any may sign the feed (SUPublicEDKey), or `pubkey` of tauri.conf.json.'),
  signature: z
    .enum(['required', 'optional', 'off'])
    .optional()
    .describe('`required` is the default when there is a key, else `off`.'),
  base_url: webAddress
    .optional()
    .describe('The URL that the feed is published at, when `source` is a file: relative URLs in it start there.'),
  accept: pattern(/^(sha256:)?[0-9a-f]{64}$/, 'must be the SHA-256 that the refusal names')
    .optional()
    .describe('The SHA-256 of a feed to accept although its highest build went down. Remove it once it was used.'),
  notes: z
    .enum(['feed', 'fetch'])
    .default('feed')
    .describe('`fetch` gets the release notes that the feed only links to, once for each release.'),
  interval_seconds: z
    .int()
    .min(60)
    .max(86_400)
    .default(300)
    .describe('How often the feed is asked for; a GitHub repository every 15 minutes at most.'),
  os: z.enum(systemNames).optional().describe('The system of files that do not say theirs, macOS when left out.'),
  arch: architecture.optional().describe('The processor of files that do not say theirs.'),
  channel: channelName.optional().describe('The channel of releases that are on none, such as `beta`.'),
  tag_prefix: z
    .string()
    .max(60)
    .optional()
    .describe('What the tags of a GitHub repository begin with before the version, such as `desktop-`.'),
  assets: z
    .array(assetRule)
    .max(50)
    .default([])
    .describe('What the files of a GitHub repository are for, where their names do not say it.'),
});

/**
 * A source of releases as product.yaml describes it; an optional key that it leaves out is undefined. Without `signature`, one is
 * required if there is a key, else it is off.
 */
export interface ReleaseSource extends z.output<typeof sourceSchema> {
  /** Its place in product.yaml: `feed`, or `feed[1]` in a list. */
  readonly path: Path;
}

/** The schema of `feed` in product.yaml: one source of releases, or a list of them. */
export const feedSchema = z
  .union([sourceSchema, z.array(sourceSchema).min(1).max(10)])
  .describe('Where the releases come from: the application’s own update feed, or a list of sources in their order.');

/** Returns the sources in their order; none if the folder has releases of its own only. */
export function listSources(feed: z.output<typeof feedSchema> | undefined): ReleaseSource[] {
  if (feed === undefined) return [];
  return Array.isArray(feed)
    ? feed.map((entry, index) => ({ ...entry, path: ['feed', index] }))
    : [{ ...feed, path: ['feed'] }];
}
