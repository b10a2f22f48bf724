/** Releases: the list, the latest and one by its version, as the verified update feed has them. */
import { z } from 'zod';
import { ApiError } from '../base/api-error.ts';
import { didYouMean, nearMisses } from '../base/near-miss.ts';
import type { Release } from '../catalog/catalog.ts';
import { pageOf } from '../catalog/paging.ts';
import { compareReleases } from '../catalog/releases.ts';
import type { Context } from './context.ts';
import { cursorInput, invalidRequest, limitInput } from './input.ts';
import { listBody, listOf } from './list.ts';
import { document, moreLine } from './markdown.ts';
import { defineOperation } from './operation.ts';
import { kind, osVersionText, text } from './text.ts';

export const releaseSchema = z
  .object({
    object: kind('release'),
    version: text(128, 'What people call the version.'),
    published_at: z.iso.date().describe('The day it was published, in UTC.'),
    notes: z.string().max(262_144).describe('Release notes, as markdown; empty when there are none.'),
    download_url: z.url().describe('Where to download it.'),
    platform: z
      .object({
        os: text(40, 'The operating system’s name.'),
        min_version: osVersionText('The oldest OS version that runs it.'),
        arch: z.enum(['arm64', 'x86_64', 'universal']).describe('The processors that run it; `universal` is both.'),
      })
      .describe('What runs it.'),
    build: text(128, 'What the updater compares.'),
    channel: text(64, '`stable` for the default channel, else the channel’s name.'),
    critical: z.boolean().describe('Whether the updater presses for it.'),
    size_bytes: z.int().min(0).nullable().describe('The download’s size, or null when the feed does not say.'),
    signature: z
      .object({
        algorithm: z.literal('ed25519').describe('The signature’s algorithm (RFC 8032).'),
        value: text(88, 'Base64 of 64 bytes, over the download’s bytes.'),
      })
      .nullable()
      .describe('The download’s signature as the feed has it. This service does not check it.'),
    published_at_time: z.iso
      .datetime()
      .nullable()
      .describe('The moment of publication, or null when the feed has none.'),
    notes_format: z.enum(['markdown', 'plain-text']).describe('Whether the feed’s notes were plain text.'),
    notes_url: z.url().nullable().describe('The notes as a web page, or null.'),
  })
  .describe('One release of the application.');

const feedNote =
  'Read from the same signed update feed that the application’s own updater reads. When the feed cannot be reached, the last verified copy answers and `Cache-Status` says so.';

export const listReleases = defineOperation({
  id: 'listReleases',
  method: 'GET',
  path: '/releases',
  tag: 'Releases',
  summary: 'List releases',
  description: `Releases of the default channel, newest first. ${feedNote}`,
  status: 200,
  errors: ['invalid_request', 'invalid_cursor'],
  scope: 'read:releases',
  tokenRequired: false,
  needsFeed: true,
  prepared: true,
  examples: [{ summary: 'The newest releases', input: { limit: 2 } }],
  input: z.object({
    limit: limitInput(100, 20),
    cursor: cursorInput,
    channel: z
      .string()
      .optional()
      .meta({ maxLength: 64 })
      .describe('Adds the releases of this channel, such as `beta`, to those of the default channel.'),
  }),
  output: listOf(releaseSchema),
  run(context, { limit, cursor, channel }) {
    const { catalog, cursors } = context;
    requireReleases(context);
    const wanted = channel === undefined || channel === 'stable' ? null : channel;
    if (wanted !== null && !catalog.channels.includes(wanted)) throw unknownChannel(wanted, catalog.channels);
    const filter = { channel: wanted };
    const page = pageOf(catalog.releasesOf(wanted), {
      limit,
      after: cursor === undefined ? null : cursors.read('releases', filter, cursor),
      keyOf: ({ publishedAt, build, index }) => [publishedAt, build, index],
      compare: compareReleases,
    });
    const next = page.hasMore && page.lastKey ? cursors.issue('releases', filter, page.lastKey) : null;
    return listBody(page.items.map(releaseBody), limit, next);
  },
  markdown: ({ data, pagination }, context) =>
    document(
      `# ${context.catalog.content.product.name} releases`,
      ...data.map(releaseSection('##')),
      moreLine(pagination.next_cursor),
    ),
});

export const getLatestRelease = defineOperation({
  id: 'getLatestRelease',
  method: 'GET',
  path: '/releases/latest',
  tag: 'Releases',
  summary: 'Get the latest release',
  description: `The release that the updater would offer: the highest build of the default channel. ${feedNote}`,
  status: 200,
  errors: ['not_found'],
  scope: 'read:releases',
  tokenRequired: false,
  needsFeed: true,
  prepared: true,
  examples: [{ summary: 'The current release', input: {} }],
  input: z.object({}),
  output: releaseSchema,
  run(context) {
    requireReleases(context);
    const { latest } = context.catalog;
    if (latest === null) throw new ApiError('not_found', 'The update feed has no release on its default channel.');
    return releaseBody(latest);
  },
  markdown: (body, context) => document(releaseSection('#')(body, context.catalog.content.product.name)),
});

export const getRelease = defineOperation({
  id: 'getRelease',
  method: 'GET',
  path: '/releases/{version}',
  tag: 'Releases',
  summary: 'Get a release',
  description: `One release by its exact version, whatever its channel. ${feedNote}`,
  status: 200,
  errors: ['not_found'],
  scope: 'read:releases',
  tokenRequired: false,
  needsFeed: true,
  prepared: true,
  examples: [{ summary: 'One version', input: { version: '0.0.0-sandbox' } }],
  input: z.object({
    version: z.string().meta({ maxLength: 128 }).describe('The exact version, as a release’s `version` has it.'),
  }),
  output: releaseSchema,
  run(context, { version }) {
    requireReleases(context);
    const release = context.catalog.release(version);
    if (release !== undefined) return releaseBody(release);
    const suggestions = nearMisses(version, context.catalog.versions);
    throw new ApiError('not_found', `No release ${quote(version)}.${didYouMean(suggestions)}`, {
      suggestions,
      next: `GET ${context.apiRoot}/releases lists every version.`,
    });
  },
  markdown: (body, context) => document(releaseSection('#')(body, context.catalog.content.product.name)),
});

/** A release as it goes over the wire. */
export function releaseBody(release: Release): z.input<typeof releaseSchema> {
  return {
    object: 'release',
    version: release.version,
    published_at: release.publishedAt,
    notes: release.notes,
    download_url: release.downloadUrl,
    platform: { os: release.platform.os, min_version: release.platform.minVersion, arch: release.platform.arch },
    build: release.build,
    channel: release.channel ?? 'stable',
    critical: release.critical !== null,
    size_bytes: release.sizeBytes,
    signature: release.signature === null ? null : { algorithm: 'ed25519', value: release.signature },
    published_at_time: release.publishedAtTime,
    notes_format: release.notesFormat,
    notes_url: release.notesUrl,
  };
}

/** Nothing true can be said of releases before a feed was verified: 503, also for a version that may not exist. */
export function requireReleases(context: Context): void {
  if (context.catalog.releases !== null) return;
  throw new ApiError('upstream_unavailable', 'The update feed has not been read yet. Try again after the delay.', {
    retryAfter: context.feedStatus().retryAfterSeconds,
  });
}

function unknownChannel(channel: string, channels: readonly string[]): ApiError {
  const names = ['stable', ...channels];
  const suggestions = nearMisses(channel, names);
  const allowed = names.map((name) => `\`${name}\``).join(', ');
  const detail = `channel must be one of ${allowed}; you sent ${quote(channel)}.${didYouMean(suggestions)}`;
  return invalidRequest([{ field: 'channel', code: 'invalid_value', detail }], suggestions);
}

const quote = (text: string): string => `\`${[...text].slice(0, 64).join('')}\``;

const releaseSection =
  (mark: '#' | '##') =>
  (release: z.input<typeof releaseSchema>, product?: unknown): string => {
    const title = typeof product === 'string' ? `${product} ${release.version}` : release.version;
    const facts = [
      `- Published: ${release.published_at}`,
      `- Channel: ${release.channel}${release.critical ? ' (critical update)' : ''}`,
      `- Runs on: ${release.platform.os} ${release.platform.min_version} or later, ${release.platform.arch}`,
      `- Download: <${release.download_url}>${release.size_bytes === null ? '' : ` (${megabytes(release.size_bytes)} MB)`}`,
    ];
    const notes = nested(release.notes, mark.length + 1);
    return [`${mark} ${title}`, facts.join('\n'), notes].filter((block) => block !== '').join('\n\n');
  };

/** Markdown whose highest heading is of `level`; lines inside code fences are left alone. */
function nested(markdown: string, level: number): string {
  let fenced = false;
  const lines = markdown.split('\n').map((line) => {
    if (/^ {0,3}(```|~~~)/.test(line)) fenced = !fenced;
    return { line, depth: fenced ? 0 : (/^(#{1,6}) /.exec(line)?.[1]?.length ?? 0) };
  });
  const highest = Math.min(...lines.filter(({ depth }) => depth > 0).map(({ depth }) => depth));
  return lines
    .map(({ line, depth }) =>
      depth === 0 ? line : '#'.repeat(Math.min(6, depth - highest + level)) + line.slice(depth),
    )
    .join('\n')
    .trim();
}

const megabytes = (bytes: number): string => (bytes / 1_000_000).toFixed(1);
