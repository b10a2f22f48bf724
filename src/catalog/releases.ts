/** The releases of a feed as the service lists them: dated, with their notes, newest first, each with its own address. */
import { parseOsVersion } from '../base/os-version.ts';
import { compareSparkleVersions } from '../base/sparkle-version.ts';
import type { Content } from '../content/content.ts';
import type { FeedRelease, FeedWarning } from '../feed/release.ts';
import type { Position } from './cursor.ts';
import { assignReleaseIds } from './release-ids.ts';

/** The source of a release's day: its own date, another release's, or none. */
export type DateSource = 'feed' | 'neighbor' | 'unknown';

/** An item of the feed with what the service adds: its address, its day, the content folder's notes and facts. */
export interface Release extends Omit<FeedRelease, 'notesFormat'> {
  /** The version; where several builds have the same one, the others' `version+build`. */
  readonly id: string;
  /** `YYYY-MM-DD`, in UTC: what it is sorted by. A guess unless `publishedAtSource` is `feed`. */
  readonly publishedAt: string;
  readonly publishedAtSource: DateSource;
  readonly notesFormat: 'markdown' | 'plain-text';
  readonly platform: {
    readonly os: string;
    readonly minVersion: string;
    /** The newest version that runs it, or null if every later one does too. */
    readonly maxVersion: string | null;
    readonly arch: 'arm64' | 'x86_64' | 'universal';
    /** Hardware requirements as the feed has them, in lowercase. */
    readonly hardware: readonly string[];
  };
  /** The place among releases of the same day and an equal build, from 0, in the feed's order. */
  readonly index: number;
}

/** Returns the feed's releases in the order of listings. What was guessed goes to `warnings`. */
export function createReleases(items: readonly FeedRelease[], content: Content, warnings: FeedWarning[]): Release[] {
  const dates = findDates(items, warnings);
  const ids = assignReleaseIds(items, warnings);
  const releases = items.map((item, at): Release => {
    const overlay = content.releaseNotes.get(item.version);
    const { day, source } = dates[at] ?? noDate;
    return {
      ...item,
      id: ids.get(item) ?? item.version,
      publishedAt: day,
      publishedAtSource: source,
      notes: overlay ?? item.notes,
      notesFormat: overlay === undefined && item.notesFormat === 'plain-text' ? 'plain-text' : 'markdown',
      platform: describePlatform(item, content, warnings),
      index: 0,
    };
  });
  releases.sort((a, b) => compareReleases(keyOf(a), keyOf(b)) || a.feedIndex - b.feedIndex);
  return numberEqualKeys(releases);
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

const keyOf = ({ publishedAt, build, index }: Release): Position => [publishedAt, build, index];

interface ReleaseDate {
  readonly day: string;
  readonly source: DateSource;
}

/** For a feed without any date. */
const noDate: ReleaseDate = { day: '1970-01-01', source: 'unknown' };

/**
 * The day of each item. One that cannot be read is taken from the next item below that has one, else from the next
 * above: feeds grow at the top, and no day may change by that. The day it was first seen would not do, since it differs
 * from machine to machine, and nothing served may depend on the clock.
 */
function findDates(items: readonly FeedRelease[], warnings: FeedWarning[]): ReleaseDate[] {
  const days = items.map(({ publishedAtTime }) => publishedAtTime?.slice(0, 10) ?? null);
  return items.map(({ version, build, line }, at) => {
    const day = days[at];
    if (day) return { day, source: 'feed' };
    const neighbor = days.slice(at).find(Boolean) ?? days.slice(0, at).findLast(Boolean) ?? null;
    const date: ReleaseDate = neighbor === null ? noDate : { day: neighbor, source: 'neighbor' };
    const whose = neighbor === null ? 'since no release has one' : 'the date of its neighbor';
    warnings.push({
      line,
      message: `Release ${version} (build ${build}) has no date that can be read; it is listed under ${date.day}, ${whose}.`,
    });
    return date;
  });
}

function describePlatform(item: FeedRelease, { product }: Content, warnings: FeedWarning[]): Release['platform'] {
  const { os_version: productMinimum, arch } = product.minimums;
  const readable = (version: string | null): string | null =>
    version !== null && parseOsVersion(version) !== null ? version.trim() : null;
  const note = (what: string, written: string, instead: string): void => {
    const message = `Release ${item.version} (build ${item.build}) has the ${what} OS version ${JSON.stringify(written)}, which is not a version; ${instead}.`;
    warnings.push({ line: item.line, message });
  };
  const { minimumOsVersion, maximumOsVersion } = item;
  const minVersion = readable(minimumOsVersion);
  const maxVersion = readable(maximumOsVersion);
  if (minimumOsVersion !== null && minVersion === null)
    note('minimum', minimumOsVersion, `${productMinimum} of product.yaml is shown`);
  if (maximumOsVersion !== null && maxVersion === null) note('maximum', maximumOsVersion, 'none is shown');
  const runsOnIntel = arch.includes('x86_64') && !item.requiresArm64;
  return {
    os: product.platform.os,
    minVersion: minVersion ?? productMinimum,
    maxVersion,
    arch: !runsOnIntel ? 'arm64' : arch.includes('arm64') ? 'universal' : 'x86_64',
    hardware: item.hardware,
  };
}

/** Counts equal keys, so that every release has a unique key. */
function numberEqualKeys(releases: readonly Release[]): Release[] {
  let before: Release | null = null;
  return releases.map((release) => {
    const isEqual: boolean = before !== null && compareReleases(keyOf({ ...before, index: 0 }), keyOf(release)) === 0;
    const index: number = isEqual && before !== null ? before.index + 1 : 0;
    before = { ...release, index };
    return before;
  });
}
