/** Releases: the list, the latest and one by its version, as the verified update feed has them. */

import { z } from 'zod';
import { ApiError } from '../base/api-error.ts';
import { findNearMisses, writeDidYouMean } from '../base/near-miss.ts';
import { listLimit } from '../base/request-limits.ts';
import type { Release } from '../catalog/catalog.ts';
import type { OfferInput } from '../catalog/offer.ts';
import { selectPage } from '../catalog/paging.ts';
import { compareReleases } from '../catalog/releases.ts';
import { buildFormats } from '../feed/release.ts';
import type { Context } from './context.ts';
import type { ExportSource } from './exports.ts';
import {
  archInput,
  createInvalidRequest,
  createLimitSchema,
  createUnknownNameError,
  cursorInput,
  osInput,
  osVersionInput,
  quote,
} from './input.ts';
import { joinBlocks, writeMoreLine } from './markdown.ts';
import { defineOperation } from './operation.ts';
import { createReleaseBody, createSectionWriter, releaseSchema } from './release-body.ts';
import { createListSchema, listBody } from './schemas.ts';

const feedNote =
  'Read from the same signed update feed that the application’s updater reads. If the feed is unavailable, the last verified copy is served and `Cache-Status` is set.';

const versionInput = z.string().meta({ maxLength: 300 });

const channelInput = z.string().optional().meta({ maxLength: 64 });

/**
 * Returns the channel whose releases are read in addition to the default channel's, or null for the default channel alone, which is
 * `stable` or not named.
 *
 * @throws ApiError `invalid_request` for any other channel that is not in `channels`, which are those with releases
 */
function readChannel(channel: string | undefined, channels: readonly string[]): string | null {
  if (channel === undefined || channel === 'stable') return null;
  if (!channels.includes(channel)) throw createUnknownChannel(channel, channels);
  return channel;
}

/** The operation that lists releases, newest first. */
export const listReleases = defineOperation({
  id: 'listReleases',
  path: '/releases',
  tag: 'Releases',
  summary: 'List releases',
  description: `Releases of the default channel, newest first. ${feedNote}`,
  errors: ['invalid_request', 'invalid_cursor', 'not_found'],
  scope: 'read:releases',
  needsFeed: true,
  examples: [{ summary: 'The newest releases', input: { limit: 2 } }],
  input: z.object({
    limit: createLimitSchema(listLimit),
    cursor: cursorInput,
    channel: channelInput.describe(
      'Adds the releases of this channel, such as `beta`, to those of the default channel.',
    ),
    since: versionInput
      .optional()
      .describe(
        'Only releases that are newer than this version, by the updater’s order; the version itself is left out.',
      ),
  }),
  output: createListSchema(releaseSchema),
  outputName: 'ReleaseList',
  run(context, { limit, cursor, channel, since }) {
    const { catalog, cursors, siteRoot } = context;
    requireReleases(context);
    const channelName = readChannel(channel, catalog.channels);
    const filter = { channel: channelName, ...(since !== undefined && { since }) };
    const all = catalog.listReleases(channelName);
    const listedReleases = since === undefined ? all : catalog.newerThan(findRelease(context, since), all);
    const page = selectPage(listedReleases, {
      limit,
      after: cursor === undefined ? null : cursors.read('releases', filter, cursor),
      getKey: ({ publishedAt, build, index }) => [publishedAt, build, index],
      compare: compareReleases,
    });
    const next = page.hasMore && page.lastKey ? cursors.issue('releases', filter, page.lastKey) : null;
    const data = page.items.map((release) => createReleaseBody(siteRoot, release));
    return listBody(data, limit, next);
  },
  markdown: ({ data, pagination }, context, { since }) =>
    joinBlocks(
      since === undefined
        ? `# ${context.catalog.content.product.name} releases`
        : `# New in ${context.catalog.content.product.name} since ${since}`,
      since !== undefined && data.length === 0 && 'There is no newer release.',
      ...data.map(createSectionWriter('##')),
      writeMoreLine(pagination.next_cursor),
    ),
});

const offerInput = z.object({
  channel: channelInput.describe('Also offers the releases of this channel, such as `beta`.'),
  os: osInput.optional(),
  os_version: osVersionInput
    .optional()
    .describe('The computer’s OS version, such as `14.5`; the newest when left out.'),
  arch: archInput
    .optional()
    .describe('The computer’s processor: on a Mac, `arm64` is Apple silicon and `x86_64` is Intel.'),
});

const format = z.enum(buildFormats).optional();

/** The schema of the parameters of a download of the latest release. */
export const latestDownloadInput = offerInput.extend({ format });

/** The schema of the parameters of a download of one release. */
export const releaseDownloadInput = latestDownloadInput.omit({ channel: true }).extend({ version: versionInput });

/**
 * Returns the release that the updater offers a computer, with the facts of its build for it.
 *
 * @throws ApiError `upstream_unavailable` until a feed has been read, unless the content folder has releases; `unprocessable` if no
 * release runs there or no such computer exists; `not_found` if the channel has no release or the release no such format;
 * `invalid_request` for an unknown channel, and for an OS version that cannot be read or names another system than `os`
 */
export function offerRelease(
  context: Context,
  { channel, ...computer }: z.output<typeof latestDownloadInput>,
): Release {
  requireReleases(context);
  const { catalog } = context;
  return catalog.offered({ channel: readChannel(channel, catalog.channels), ...readComputer(computer) });
}

/**
 * Returns the release of a version with the facts of its build for a computer and format, or of its main build if the input has
 * only the version.
 *
 * @throws ApiError `upstream_unavailable` until a feed has been read, unless the content folder has releases; `not_found` for an
 * unknown version, and for a format that no build for the computer has; `unprocessable` if none of its builds runs there or no such
 * computer exists; `invalid_request` for an OS version that cannot be read or names another system than `os`
 */
export function selectRelease(
  context: Context,
  { version, ...computer }: z.output<typeof releaseDownloadInput>,
): Release {
  requireReleases(context);
  return context.catalog.selectBuild(findRelease(context, version), readComputer(computer));
}

type SentComputer = Omit<z.output<typeof latestDownloadInput>, 'channel'>;

const readComputer = (input: SentComputer): Omit<OfferInput, 'channel'> => ({
  os: input.os ?? null,
  osVersion: input.os_version ?? null,
  arch: input.arch ?? null,
  format: input.format ?? null,
});

/** The operation that returns the release that the updater offers a computer. */
export const getLatestRelease = defineOperation({
  id: 'getLatestRelease',
  path: '/releases/latest',
  tag: 'Releases',
  summary: 'Get the latest release',
  description: `The release that the updater would offer when the user chooses Check for Updates: the highest build on the channel that supports the given OS version and processor. \`platform\` and \`download_url\` are those of the build for that computer. Without parameters, it is the release for a computer on the newest version of the product’s main system, which leaves out releases with a \`platform.max_version\`. 422 if no release runs there. ${feedNote}`,
  errors: ['invalid_request', 'not_found', 'unprocessable'],
  scope: 'read:releases',
  needsFeed: true,
  examples: [
    { summary: 'The current release', input: {} },
    { summary: 'For an older Mac', input: { os_version: '15.1', arch: 'arm64' } },
  ],
  input: offerInput,
  output: releaseSchema,
  outputName: 'Release',
  run: (context, input) => createReleaseBody(context.siteRoot, offerRelease(context, input)),
  markdown: (body, context) => joinBlocks(createSectionWriter('#')(body, context.catalog.content.product.name)),
});

/** The operation that returns one release by its version. */
export const getRelease = defineOperation({
  id: 'getRelease',
  path: '/releases/{version}',
  tag: 'Releases',
  summary: 'Get a release',
  description: `One release by its exact version, whatever its channel. Where several releases have the same version, that is the one with the highest build, and \`version+build\` selects each of them. ${feedNote}`,
  errors: ['not_found'],
  scope: 'read:releases',
  needsFeed: true,
  exampleInput: ({ latest }) => (latest === null ? {} : { version: latest.version }),
  examples: [{ summary: 'One version', input: { version: '0.0.0-sandbox' } }],
  input: z.object({
    version: versionInput.describe('The exact version, as a release’s `version` has it, or `version+build`.'),
  }),
  output: releaseSchema,
  outputName: 'Release',
  run(context, { version }) {
    requireReleases(context);
    return createReleaseBody(context.siteRoot, findRelease(context, version));
  },
  markdown: (body, context) => joinBlocks(createSectionWriter('#')(body, context.catalog.content.product.name)),
});

/** The source of exports of the releases of the default channel, newest first. */
export const releasesExport: ExportSource = {
  called: 'releases',
  // A feed without releases gives an empty file; without any feed, `requireReleases` fails the job.
  isEmpty: () => false,
  items(context) {
    requireReleases(context);
    return context.catalog.listReleases(null).map((release) => () => {
      const body = createReleaseBody(context.siteRoot, release);
      const { version, published_at, download_url, notes } = body;
      const downloads = body.builds.map((build) => build.download_url);
      const frontMatter = { version, published_at, download_url, ...(downloads.length > 1 && { downloads }) };
      return { body, frontMatter, text: notes };
    });
  },
};

/**
 * Returns the release of a version (of several builds the highest), or of `version+build`, on any channel. Throws `not_found` with
 * similar versions if there is none.
 */
function findRelease({ catalog, apiRoot }: Context, version: string): Release {
  const release = catalog.release(version);
  if (release !== undefined) return release;
  throw createUnknownNameError('release', version, catalog.versions, `GET ${apiRoot}/releases lists every version.`);
}

/**
 * Throws `upstream_unavailable`, also for a version that may not exist, until a feed has been read, unless the content folder has
 * releases.
 */
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

function createUnknownChannel(channel: string, channels: readonly string[]): ApiError {
  const names = ['stable', ...channels];
  const suggestions = findNearMisses(channel, names);
  const allowedNames = names.map((name) => `\`${name}\``).join(', ');
  const detail = `channel must be one of ${allowedNames}; you sent ${quote(channel)}.${writeDidYouMean(suggestions)}`;
  return createInvalidRequest([{ field: 'channel', code: 'invalid_value', detail }], suggestions);
}
