/** The shape of `feed` in product.yaml: the sources of releases. */
import { z } from 'zod';
import { systemNames } from '../base/systems.ts';
import type { Path } from '../base/value-path.ts';
import { architecture, channelName, object, optional, pattern, text, webAddress } from './field-schemas.ts';

/** The schema of a key that signs a source: the base64 of 32 bytes, as in SUPublicEDKey, or `pubkey` of tauri.conf.json. */
export const publicKeySchema = pattern(
  /^(?:[A-Za-z0-9+/]{43}=|[A-Za-z0-9+/]{80,400}={0,2})$/,
  'must be the base64 of 32 bytes, as in SUPublicEDKey, or `pubkey` of tauri.conf.json',
);

const assetRule = z.strictObject({
  match: text(200).describe('The name of the files, in which `*` matches any text, such as `Larder-*.zip`.'),
  os: optional(z.enum(systemNames), 'The system of these files; by default, the one in their names.'),
  arch: optional(
    z.enum(['arm64', 'x86_64', 'universal']),
    'The processor of these files, `universal` for both; by default, the one in their names.',
  ),
});

/** The schema of one source. */
export const sourceSchema = object('A source of releases.', {
  source: text(1000).describe(
    'An https URL, or a path in this folder, of an appcast, electron-builder’s latest*.yml or Tauri’s latest.json; or a GitHub repository, such as `acme/larder`.',
  ),
  public_keys: z
    .array(publicKeySchema)
    .max(10)
    .default([])
    .describe('The keys that may have signed the source: SUPublicEDKey (appcast) or `pubkey` of tauri.conf.json.'),
  signature: optional(
    z.enum(['required', 'optional', 'off']),
    'Whether one of `public_keys` must have signed the source: `required`; `optional`, which accepts an unsigned appcast until the first signed one; or `off`. By default `required` if there is a key, otherwise `off`.',
  ),
  base_url: optional(webAddress, 'The URL where the feed is published if `source` is a path, for relative URLs in it.'),
  accept: optional(
    pattern(/^(sha256:)?[0-9a-f]{64}$/, 'must be the SHA-256 that the refusal names'),
    'The SHA-256 of a feed to accept although its highest build went down, as `colophon feed accept` writes it. Remove it afterward.',
  ),
  notes: z
    .enum(['feed', 'fetch'])
    .default('feed')
    .describe('`fetch` downloads and shows the notes that an appcast only links to; `feed` shows only the link.'),
  interval_seconds: z
    .int()
    .min(60)
    .max(86_400)
    .default(300)
    .describe('The number of seconds between two checks; at least 15 minutes for a GitHub repository.'),
  os: optional(
    z.enum(systemNames),
    'The system of files that name none; by default macOS in an appcast, while a repository leaves such files out. It replaces the system in the name of latest*.yml, and a dynamic Tauri server needs it.',
  ),
  arch: optional(
    architecture,
    'The processor of files that name none; by default, it follows from the other files and `minimums.arch`. A dynamic Tauri server needs it.',
  ),
  channel: optional(channelName, 'The channel for releases without one, such as `beta`; none by default.'),
  tag_prefix: optional(
    z.string().max(60),
    'The text in front of the version in the tags of a GitHub repository, such as `desktop-`; needed if the tags have different ones.',
  ),
  assets: z
    .array(assetRule)
    .max(50)
    .default([])
    .describe(
      'The systems and processors of files in a GitHub repository whose names do not show them; the first entry that matches a name applies.',
    ),
});

/**
 * A source of releases as product.yaml describes it; an optional key that it leaves out is undefined. Without `signature`, one is
 * required if there is a key, else it is off.
 */
export interface ReleaseSource extends z.output<typeof sourceSchema> {
  /** Its place in product.yaml: `['feed']`, or in a list the index too, such as `['feed', 1]`. */
  readonly path: Path;
}

/** The schema of `feed` in product.yaml: one source of releases, or a list of them. */
export const feedSchema = z
  .union([sourceSchema, z.array(sourceSchema).min(1).max(10)])
  .describe('The source of the releases, or a list; not needed if releases/ has files with `date` and `downloads`.');

/** Returns the sources in their order; none if the folder has releases of its own only. */
export function listSources(feed: z.output<typeof feedSchema> | undefined): ReleaseSource[] {
  if (feed === undefined) return [];
  return Array.isArray(feed)
    ? feed.map((entry, index) => ({ ...entry, path: ['feed', index] }))
    : [{ ...feed, path: ['feed'] }];
}
