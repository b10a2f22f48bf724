/** The schema, the body and the markdown of a release in responses. */
import { z } from 'zod';
import { systemNames } from '../base/systems.ts';
import type { Release } from '../catalog/catalog.ts';
import { getReleasePath } from '../catalog/release-ids.ts';
import { writeSize, writeSystemRange } from '../content/facts.ts';
import { englishWords } from '../content/words.ts';
import type { Build } from '../feed/builds.ts';
import { buildFormats } from '../feed/release.ts';
import { createKindSchema, object, osVersionText, text } from './schemas.ts';

/** Number of groups in Sparkle's phased rollout. */
const rolloutGroups = 7;

/** Returns the schema of a digest of so many bytes, in hexadecimal digits of either case, or null. */
const createDigestSchema = (algorithm: string, bytes: number): z.ZodNullable<z.ZodString> =>
  z
    .string()
    .regex(new RegExp(`^[0-9A-Fa-f]{${2 * bytes}}$`))
    .nullable()
    .describe(`The ${algorithm} that the source states, or null. This service does not compute it.`);

/** The schema of a build in responses. */
export const buildSchema = object('One file that people download.', {
  os: z.enum(systemNames).describe('The operating system.'),
  arch: text(
    20,
    'The processors: `arm64`, `x86_64`, `universal` for both, or another’s name; null if nobody says.',
  ).nullable(),
  format: z.enum(buildFormats).nullable().describe('The kind of file, or null if it is none of these.'),
  min_version: osVersionText('The oldest OS version that runs it, or null if nobody says.').nullable(),
  max_version: osVersionText('The newest OS version that runs it, or null when every later one does.').nullable(),
  build: text(128, 'The version that the updater compares, or null if the source has no build numbers.').nullable(),
  download_url: z.url().describe('The download URL.'),
  size_bytes: z.int().min(0).nullable().describe('The file’s size, or null if it is unknown.'),
  sha256: createDigestSchema('SHA-256', 32),
  sha512: createDigestSchema('SHA-512', 64),
  signature: text(4096, 'The signature that the source states, or null. This service does not verify it.').nullable(),
});

/** The schema of a release in responses. */
export const releaseSchema = object('One release of the application.', {
  object: createKindSchema('release'),
  version: text(128, 'The version that users see.'),
  published_at: z.iso.date().describe('The day it was published, in UTC. Look at `published_at_source` first.'),
  notes: z.string().max(262_144).describe('Release notes, as markdown; empty when there are none.'),
  download_url: z.url().describe('The download URL; for an informational release, its web page.'),
  platform: object('The systems and processors that run it.', {
    os: text(40, 'The operating system’s name.'),
    min_version: osVersionText('The oldest OS version that runs it.'),
    arch: z.enum(['arm64', 'x86_64', 'universal']).describe('The processors that run it; `universal` is both.'),
    max_version: osVersionText('The newest OS version that runs it, or null when every later one does.').nullable(),
    hardware_requirements: z
      .array(text(64, 'One requirement.'))
      .max(32)
      .describe('The feed’s value in lowercase. The updater uses `arm64`, Apple silicon.'),
  }),
  builds: z
    .array(buildSchema)
    .max(1000)
    .describe(
      'Every file of the release; `platform` and `download_url` are those of one of them. Empty for an informational release.',
    ),
  build: text(128, 'The version that the updater compares.'),
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
      'The origin of `published_at`; `feed`: the release’s own date; `neighbor`: the date of the release next to it in the feed, since it has none; `unknown`: no release has a date.',
    ),
  notes_format: z.enum(['markdown', 'plain-text']).describe('Whether the feed’s notes were plain text.'),
  notes_url: z.url().nullable().describe('The notes as a web page, or null.'),
  full_notes_url: z.url().nullable().describe('The notes of all versions as a web page, or null.'),
  url: z.url().describe('The release’s page on this site, for people.'),
  markdown_url: z.url().describe('The URL of the same page as markdown.'),
});

/** Returns the response body of a release. `siteRoot` is the URL of the site that has its page. */
export function createReleaseBody(siteRoot: string, release: Release): z.input<typeof releaseSchema> {
  const { platform, phasedRolloutSeconds: interval } = release;
  const url = siteRoot + getReleasePath(release);
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
    builds: release.isInformational ? [] : release.builds.map(buildBody),
    build: release.build,
    channel: release.channel ?? 'stable',
    critical: release.critical !== null,
    critical_below: release.critical?.belowBuild ?? null,
    informational: release.isInformational,
    minimum_update_version: release.minimumUpdateBuild,
    minimum_autoupdate_version: release.minimumAutoupdateBuild,
    phased_rollout: interval === null ? null : { interval_seconds: interval, groups: rolloutGroups },
    size_bytes: release.sizeBytes,
    // Tauri's signatures are minisign texts, which only `builds` has.
    signature:
      release.signature === null || release.source === 'tauri'
        ? null
        : { algorithm: 'ed25519', value: release.signature },
    published_at_time: release.publishedAtTime,
    published_at_source: release.publishedAtSource,
    notes_format: release.notesFormat,
    notes_url: release.notesUrl,
    full_notes_url: release.fullNotesUrl,
    url,
    markdown_url: `${url}.md`,
  };
}

const buildBody = (build: Build): z.input<typeof buildSchema> => ({
  os: build.os,
  arch: build.arch,
  format: build.format,
  min_version: build.minVersion,
  max_version: build.maxVersion,
  build: build.source === 'appcast' ? build.build : null,
  download_url: build.downloadUrl,
  size_bytes: build.sizeBytes,
  sha256: build.sha256,
  sha512: build.sha512,
  signature: build.signature,
});

/**
 * Returns a function that writes a release as a section of markdown, without a newline at its end: a heading of the level of
 * `mark`, the facts, and the notes or a link to them. The heading is the version, after the name `product` if that is a text.
 */
export const createSectionWriter =
  (mark: '#' | '##') =>
  (release: z.input<typeof releaseSchema>, product?: unknown): string => {
    const title = typeof product === 'string' ? `${product} ${release.version}` : release.version;
    const notes = shiftHeadings(release.notes, mark.length + 1) || writeNotesLink(release);
    return [`${mark} ${title}`, writeReleaseFacts(release), notes].filter((block) => block !== '').join('\n\n');
  };

/** Returns the facts of a release as a markdown list, with each download once, or the web page of an informational release. */
export function writeReleaseFacts(release: z.input<typeof releaseSchema>): string {
  const below = release.critical_below === null ? '' : ` from builds below ${release.critical_below}`;
  return [
    ...(release.published_at_source === 'feed' ? [`- Published: ${release.published_at}`] : []),
    `- Build: ${release.build}`,
    `- Channel: ${release.channel}${release.critical ? ` (critical update${below})` : ''}`,
    `- Runs on: ${describeVersions(release.platform)}, ${release.platform.arch}`,
    `- ${release.informational ? 'Web page' : 'Download'}: <${release.download_url}>${formatSize(release.size_bytes)}`,
    ...release.builds
      .filter(({ download_url }) => download_url !== release.download_url)
      .map(
        (build) =>
          `- Download for ${describeVersions(build)}${build.arch === null ? '' : `, ${build.arch}`}: <${build.download_url}>${formatSize(build.size_bytes)}`,
      ),
  ].join('\n');
}

/**
 * Returns the line `Release notes: <URL>` with the URL of the release's notes or, without one, that of the notes of all versions;
 * '' if there is neither.
 */
const writeNotesLink = ({ notes_url, full_notes_url }: z.input<typeof releaseSchema>): string => {
  const url = notes_url ?? full_notes_url;
  return url === null ? '' : `Release notes: <${url}>`;
};

/**
 * Returns the markdown, trimmed, with its `#` headings shifted so that the highest one is of `level` and none is below 6. Lines
 * inside code fences, indented and underlined headings stay unchanged.
 */
function shiftHeadings(markdown: string, level: number): string {
  let isFenced = false;
  const lines = markdown.split('\n').map((line) => {
    if (/^ {0,3}(```|~~~)/.test(line)) isFenced = !isFenced;
    return { line, depth: isFenced ? 0 : (/^(#{1,6}) /.exec(line)?.[1]?.length ?? 0) };
  });
  const highest = Math.min(...lines.filter(({ depth }) => depth > 0).map(({ depth }) => depth));
  return lines
    .map(({ line, depth }) =>
      depth === 0 ? line : '#'.repeat(Math.min(6, depth - highest + level)) + line.slice(depth),
    )
    .join('\n')
    .trim();
}

interface StatedRange {
  readonly os: string;
  readonly min_version: string | null;
  readonly max_version: string | null;
}

/**
 * Returns the versions of a system in English: "macOS 13.0 or later", "macOS 10.13 to 12.4", or the system alone, such as "Linux",
 * if the minimum is null or `0`, even with a maximum.
 */
const describeVersions = ({ os, min_version, max_version }: StatedRange): string =>
  writeSystemRange({ os, osVersion: min_version, maximumOsVersion: max_version }, englishWords);

const formatSize = (bytes: number | null): string => (bytes === null ? '' : ` (${writeSize(bytes, 'en')})`);
