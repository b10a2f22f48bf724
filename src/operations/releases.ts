/** Releases: the list, the latest and one by its version, as the verified update feed has them. */

import { z } from 'zod';
import { ApiError } from '../base/api-error.ts';
import { didYouMean, nearMisses } from '../base/near-miss.ts';
import { listLimit } from '../base/request-limits.ts';
import type { Release } from '../catalog/catalog.ts';
import { pageOf } from '../catalog/paging.ts';
import { compareReleases } from '../catalog/releases.ts';
import type { Context } from './context.ts';
import type { ExportSource } from './export-source.ts';
import { archInput, cursorInput, invalidRequest, limitInput, osVersionInput } from './input.ts';
import { listBody, listOf } from './list.ts';
import { document, moreLine } from './markdown.ts';
import { defineOperation } from './operation.ts';
import { kind, osVersionText, text } from './text.ts';

/** Sparkle's number of groups. */
const rolloutGroups = 7;

export const releaseSchema = z
  .object({
    object: kind('release'),
    version: text(128, 'The version that users see.'),
    published_at: z.iso.date().describe('The day it was published, in UTC. Look at `published_at_source` first.'),
    notes: z.string().max(262_144).describe('Release notes, as markdown; empty when there are none.'),
    download_url: z.url().describe('The download URL; for an informational release, its web page.'),
    platform: z
      .object({
        os: text(40, 'The operating system’s name.'),
        min_version: osVersionText('The oldest OS version that runs it.'),
        arch: z.enum(['arm64', 'x86_64', 'universal']).describe('The processors that run it; `universal` is both.'),
        max_version: osVersionText('The newest OS version that runs it, or null when every later one does.').nullable(),
        hardware_requirements: z
          .array(text(64, 'One requirement.'))
          .max(32)
          .describe('The feed’s value in lowercase. The updater uses `arm64`, Apple silicon.'),
      })
      .describe('What runs it.'),
    build: text(128, 'What the updater compares.'),
    channel: text(64, '`stable` for the default channel, otherwise the channel’s name.'),
    critical: z
      .boolean()
      .describe('Whether the updater marks it as critical; only for builds below `critical_below`, if that is set.'),
    critical_below: text(128, 'It is critical only if a lower build is installed; null: for every build.').nullable(),
    informational: z
      .boolean()
      .describe('Whether it is an announcement; the updater shows a web page, `download_url`, and downloads nothing.'),
    minimum_update_version: text(128, 'The minimum installed build to be offered it, or null.').nullable(),
    minimum_autoupdate_version: text(128, 'The minimum installed build for an automatic update, or null.').nullable(),
    phased_rollout: z
      .object({
        interval_seconds: z.int().min(1).describe('Seconds between offering it to one group and the next.'),
        groups: z.literal(rolloutGroups).describe('How many groups the updater divides users into.'),
      })
      .nullable()
      .describe('How background checks offer it in turn, from `published_at_time` on; null: to everyone at once.'),
    size_bytes: z.int().min(0).nullable().describe('The download’s size, or null if the feed does not contain it.'),
    signature: z
      .object({
        algorithm: z.literal('ed25519').describe('The signature’s algorithm (RFC 8032).'),
        value: text(88, 'Base64 of the 64-byte signature of the download.'),
      })
      .nullable()
      .describe('The download’s signature, from the feed. This service does not verify it.'),
    published_at_time: z.iso.datetime().nullable().describe('The time of publication, or null if the feed has none.'),
    published_at_source: z
      .enum(['feed', 'neighbor', 'unknown'])
      .describe(
        'Where `published_at` comes from; `feed`: the release’s own date; `neighbor`: the date of the release next to it in the feed, since it has none; `unknown`: no release has a date.',
      ),
    notes_format: z.enum(['markdown', 'plain-text']).describe('Whether the feed’s notes were plain text.'),
    notes_url: z.url().nullable().describe('The notes as a web page, or null.'),
    full_notes_url: z.url().nullable().describe('The notes of all versions as a web page, or null.'),
  })
  .describe('One release of the application.');

const feedNote =
  'Read from the same signed update feed that the application’s updater reads. If the feed is unavailable, the last verified copy is served and `Cache-Status` is set.';

const channelInput = z.string().optional().meta({ maxLength: 64 });

/** null is the default channel, which has a name for whoever wants to send one. */
function channelOf(sent: string | undefined, channels: readonly string[]): string | null {
  if (sent === undefined || sent === 'stable') return null;
  if (!channels.includes(sent)) throw unknownChannel(sent, channels);
  return sent;
}

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
    limit: limitInput(listLimit),
    cursor: cursorInput,
    channel: channelInput.describe(
      'Adds the releases of this channel, such as `beta`, to those of the default channel.',
    ),
  }),
  output: listOf(releaseSchema),
  outputName: 'ReleaseList',
  run(context, { limit, cursor, channel }) {
    const { catalog, cursors } = context;
    requireReleases(context);
    const wanted = channelOf(channel, catalog.channels);
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
  description: `The release that the updater offers a Mac, by Sparkle’s own rules for a check that the user starts: of the releases on the channel whose minimum and maximum OS version and hardware requirements fit, the highest build. Without parameters that is a Mac on the newest macOS: releases with a \`platform.max_version\` are left out. 422 when no release runs there. ${feedNote}`,
  status: 200,
  errors: ['invalid_request', 'not_found', 'unprocessable'],
  scope: 'read:releases',
  tokenRequired: false,
  needsFeed: true,
  prepared: true,
  examples: [
    { summary: 'The current release', input: {} },
    { summary: 'For an older Mac', input: { os_version: '15.1', arch: 'arm64' } },
  ],
  input: z.object({
    channel: channelInput.describe('Also offers the releases of this channel, such as `beta`.'),
    os_version: osVersionInput.optional().describe('The Mac’s OS version, such as `14.5`; the newest when left out.'),
    arch: archInput.optional().describe('The Mac’s processor: `arm64` is Apple silicon, `x86_64` is Intel.'),
  }),
  output: releaseSchema,
  outputName: 'Release',
  run(context, { channel, os_version, arch }) {
    requireReleases(context);
    const { catalog } = context;
    const wanted = channelOf(channel, catalog.channels);
    return releaseBody(catalog.offered({ channel: wanted, osVersion: os_version ?? null, arch: arch ?? null }));
  },
  markdown: (body, context) => document(releaseSection('#')(body, context.catalog.content.product.name)),
});

export const getRelease = defineOperation({
  id: 'getRelease',
  method: 'GET',
  path: '/releases/{version}',
  tag: 'Releases',
  summary: 'Get a release',
  description: `One release by its exact version, whatever its channel. Where several builds have the same version, that is the highest one, and \`version+build\` selects each of them. ${feedNote}`,
  status: 200,
  errors: ['not_found'],
  scope: 'read:releases',
  tokenRequired: false,
  needsFeed: true,
  prepared: true,
  exampleInput: ({ latest }) => (latest === null ? {} : { version: latest.version }),
  examples: [{ summary: 'One version', input: { version: '0.0.0-sandbox' } }],
  input: z.object({
    version: z
      .string()
      .meta({ maxLength: 300 })
      .describe('The exact version, as a release’s `version` has it, or `version+build`.'),
  }),
  output: releaseSchema,
  outputName: 'Release',
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
function releaseBody(release: Release): z.input<typeof releaseSchema> {
  const { platform, phasedRolloutSeconds: interval } = release;
  return {
    object: 'release',
    version: release.version,
    published_at: release.publishedAt,
    notes: release.notes,
    download_url: release.downloadUrl,
    platform: {
      os: platform.os,
      min_version: platform.minVersion,
      arch: platform.arch,
      max_version: platform.maxVersion,
      hardware_requirements: [...platform.hardware],
    },
    build: release.build,
    channel: release.channel ?? 'stable',
    critical: release.critical !== null,
    critical_below: release.critical?.belowBuild ?? null,
    informational: release.isInformational,
    minimum_update_version: release.minimumUpdateBuild,
    minimum_autoupdate_version: release.minimumAutoupdateBuild,
    phased_rollout: interval === null ? null : { interval_seconds: interval, groups: rolloutGroups },
    size_bytes: release.sizeBytes,
    signature: release.signature === null ? null : { algorithm: 'ed25519', value: release.signature },
    published_at_time: release.publishedAtTime,
    published_at_source: release.publishedAtSource,
    notes_format: release.notesFormat,
    notes_url: release.notesUrl,
    full_notes_url: release.fullNotesUrl,
  };
}

/** Releases of the default channel, as in their listing. */
export const releasesExport: ExportSource = {
  called: 'releases',
  // An empty feed gives an empty file; one that was never read fails the job.
  isEmpty: () => false,
  items(context) {
    requireReleases(context);
    return context.catalog.releasesOf(null).map((release) => () => {
      const body = releaseBody(release);
      const { version, published_at, download_url, notes } = body;
      return { body, frontMatter: { version, published_at, download_url }, text: notes };
    });
  },
};

/** Nothing true can be said of releases before a feed was verified: 503, also for a version that may not exist. */
function requireReleases(context: Context): void {
  if (context.catalog.releases !== null) return;
  throw new ApiError(
    'upstream_unavailable',
    'The update feed has not been read yet. Try again after the delay in Retry-After.',
    {
      retryAfter: context.feedStatus().retryAfterSeconds,
    },
  );
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
    const { os, min_version, max_version, arch } = release.platform;
    const below = release.critical_below === null ? '' : ` from builds below ${release.critical_below}`;
    const range = max_version === null ? `${min_version} or later` : `${min_version} to ${max_version}`;
    const size = release.size_bytes === null ? '' : ` (${megabytes(release.size_bytes)} MB)`;
    const facts = [
      ...(release.published_at_source === 'feed' ? [`- Published: ${release.published_at}`] : []),
      `- Build: ${release.build}`,
      `- Channel: ${release.channel}${release.critical ? ` (critical update${below})` : ''}`,
      `- Runs on: ${os} ${range}, ${arch}`,
      `- ${release.informational ? 'Web page' : 'Download'}: <${release.download_url}>${size}`,
    ];
    const notes = nested(release.notes, mark.length + 1) || notesLink(release);
    return [`${mark} ${title}`, facts.join('\n'), notes].filter((block) => block !== '').join('\n\n');
  };

/** Where the notes are, for whoever reads them here. */
const notesLink = ({ notes_url, full_notes_url }: z.input<typeof releaseSchema>): string => {
  const url = notes_url ?? full_notes_url;
  return url === null ? '' : `Release notes: <${url}>`;
};

/** Markdown whose highest heading is of `level`; lines inside code fences stay unchanged. */
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
