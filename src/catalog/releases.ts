/** The releases of a feed as the service lists them: dated, with their notes, newest first. */
import { parseOsVersion } from '../base/os-version.ts';
import { compareSparkleVersions } from '../base/sparkle-version.ts';
import type { Content } from '../content/content.ts';
import type { FeedRelease } from '../feed/release.ts';
import { latestRelease } from '../feed/selection.ts';
import type { Position } from './cursor.ts';

export interface Release {
  readonly version: string;
  readonly build: string;
  /** null is the default channel. */
  readonly channel: string | null;
  /** `YYYY-MM-DD`, in UTC. */
  readonly publishedAt: string;
  /** RFC 3339, or null when the feed's date cannot be read. */
  readonly publishedAtTime: string | null;
  /** The content folder's notes where it has some, else the feed's; '' when there are none. */
  readonly notes: string;
  readonly notesFormat: 'markdown' | 'plain-text';
  readonly notesUrl: string | null;
  readonly downloadUrl: string;
  readonly platform: {
    readonly os: string;
    readonly minVersion: string;
    readonly arch: 'arm64' | 'x86_64' | 'universal';
  };
  /** null: not critical; belowBuild null: critical for everyone. */
  readonly critical: FeedRelease['critical'];
  readonly sizeBytes: number | null;
  readonly signature: string | null;
  /** The place among releases of the same day and an equal build, from 0, in the feed's order. */
  readonly index: number;
}

/** A release beside the feed's item that it was made from. */
export interface ReleaseSource {
  readonly release: Release;
  readonly item: FeedRelease;
}

/** The feed's releases in the order of listings. Items that cannot be served, and what was guessed, go to `warnings`. */
export function releasesFrom(items: readonly FeedRelease[], content: Content, warnings: string[]): ReleaseSource[] {
  const dated = datesOf(items, warnings);
  const sources = items.flatMap((item, at): ReleaseSource[] => {
    if (item.downloadUrl === null) {
      warnings.push(`Release ${item.version} (build ${item.build}) is left out: the feed gives it no download URL.`);
      return [];
    }
    const overlay = content.releaseNotes.get(item.version);
    const plain = overlay === undefined && item.notesFormat === 'plain-text';
    const release: Release = {
      version: item.version,
      build: item.build,
      channel: item.channel,
      publishedAt: dated[at] ?? unknownDate,
      publishedAtTime: item.publishedAt,
      notes: overlay ?? item.notes,
      notesFormat: plain ? 'plain-text' : 'markdown',
      notesUrl: item.notesUrl,
      downloadUrl: item.downloadUrl,
      platform: platformOf(item, content, warnings),
      critical: item.critical,
      sizeBytes: item.sizeBytes,
      signature: item.signature,
      index: 0,
    };
    return [{ release, item }];
  });
  sources.sort((a, b) => compareReleases(keyOf(a.release), keyOf(b.release)) || a.item.index - b.item.index);
  return numbered(sources);
}

/**
 * The order of listings, over keys of day, build and index: the newest day first, then the highest build by the
 * updater's own comparison, then as the feed has them.
 */
export function compareReleases(a: Position, b: Position): number {
  const [dayA = '', buildA = '', indexA = 0] = a;
  const [dayB = '', buildB = '', indexB = 0] = b;
  if (dayA !== dayB) return dayA < dayB ? 1 : -1;
  return compareSparkleVersions(String(buildB), String(buildA)) || Number(indexA) - Number(indexB);
}

/** What the updater would offer, of what is served. */
export function latestOf(sources: readonly ReleaseSource[]): ReleaseSource | null {
  const inFeedOrder = sources.map(({ item }) => item).sort((a, b) => a.index - b.index);
  const latest = latestRelease(inFeedOrder);
  return sources.find(({ item }) => item === latest) ?? null;
}

function keyOf({ publishedAt, build, index }: Release): Position {
  return [publishedAt, build, index];
}

/** For a feed without any date. */
const unknownDate = '1970-01-01';

/**
 * The day of each item. One that cannot be read is taken from the next item below that has one, else from the next
 * above: feeds grow at the top, and no day may change by that. The day it was first seen would not do, since it differs
 * from machine to machine, and nothing served may depend on the clock.
 */
function datesOf(items: readonly FeedRelease[], warnings: string[]): (string | null)[] {
  const days = items.map(({ publishedAt }) => publishedAt?.slice(0, 10) ?? null);
  return items.map(({ version, build }, at) => {
    if (days[at]) return days[at];
    const neighbour = days.slice(at).find(Boolean) ?? days.slice(0, at).findLast(Boolean) ?? null;
    const taken = neighbour === null ? `${unknownDate}, since no release has one` : `${neighbour}, its neighbour’s`;
    warnings.push(`Release ${version} (build ${build}) has no date that can be read; it is listed under ${taken}.`);
    return neighbour;
  });
}

function platformOf(item: FeedRelease, { product }: Content, warnings: string[]): Release['platform'] {
  const { os_version: leastVersion, arch } = product.minimums;
  const readable = item.minimumOsVersion !== null && parseOsVersion(item.minimumOsVersion) !== null;
  if (item.minimumOsVersion !== null && !readable) {
    warnings.push(
      `Release ${item.version} (build ${item.build}) has the minimum OS version ${JSON.stringify(item.minimumOsVersion)}, which is none; ${leastVersion} of product.yaml stands in.`,
    );
  }
  const runsOnIntel = arch.includes('x86_64') && !item.requiresArm64;
  return {
    os: product.platform.os,
    minVersion: readable && item.minimumOsVersion !== null ? item.minimumOsVersion.trim() : leastVersion,
    arch: !runsOnIntel ? 'arm64' : arch.includes('arm64') ? 'universal' : 'x86_64',
  };
}

/** Counts equal keys, so that every release has a key of its own. */
function numbered(sources: readonly ReleaseSource[]): ReleaseSource[] {
  let before: Release | null = null;
  return sources.map(({ release, item }) => {
    const equal: boolean = before !== null && compareReleases(keyOf({ ...before, index: 0 }), keyOf(release)) === 0;
    const index: number = equal && before !== null ? before.index + 1 : 0;
    before = { ...release, index };
    return { release: before, item };
  });
}
