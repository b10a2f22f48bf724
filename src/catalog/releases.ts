/** The releases as the service lists them: dated, with their builds and notes, newest first, each with its own address. */
import { compareSparkleVersions } from '../base/sparkle-version.ts';
import type { SystemName } from '../base/systems.ts';
import type { Content } from '../content/content.ts';
import type { Product } from '../content/product-schema.ts';
import { type Build, describeBuilds, findMainBuild } from '../feed/builds.ts';
import type { FeedRelease, FeedWarning } from '../feed/release.ts';
import { getLeadingFile, groupReleases, type ReleaseGroup } from '../feed/release-groups.ts';
import type { SortKey } from './cursor.ts';
import { assignReleaseIds } from './release-ids.ts';

/** The source of a release's day: its own date, another release's, or none, so that the day is 1970-01-01. */
export type DateSource = 'feed' | 'neighbor' | 'unknown';

/**
 * A release with what the service adds: its address, its day, the content folder's notes and facts. The facts of a file (`build`,
 * `downloadUrl`, `platform`, …) are those of one of its builds: the main one, unless `replaceBuild` chose another.
 */
export interface Release extends Omit<FeedRelease, 'notesFormat'> {
  /** The version; where several releases have the same one, the others' `version+build`. */
  readonly id: string;
  /** `YYYY-MM-DD`, in UTC: what it is sorted by. A guess unless `publishedAtSource` is `feed`. */
  readonly publishedAt: string;
  readonly publishedAtSource: DateSource;
  readonly notesFormat: 'markdown' | 'plain-text';
  readonly platform: {
    readonly os: SystemName;
    /** The oldest version that runs it; `0` for Linux, and if nobody says. */
    readonly minVersion: string;
    /** The newest version that runs it, or null if every later one does too. */
    readonly maxVersion: string | null;
    readonly arch: 'arm64' | 'x86_64' | 'universal';
    /** Hardware requirements as the feed has them, in lowercase. */
    readonly hardware: readonly string[];
  };
  readonly builds: readonly [Build, ...Build[]];
  /** The place among releases of the same day and an equal build, from 0, in the feed's order. */
  readonly index: number;
}

/** The parts of a content folder that its releases depend on besides their sources. */
export interface ReleaseContent extends Pick<Content, 'releases' | 'releaseNotes'> {
  readonly product: Pick<Product, 'name' | 'systems' | 'sources'>;
}

/**
 * Returns the releases of all sources in the order of listings, the newest first. For what was guessed or left out, warnings are
 * added to `warnings`.
 */
export function createReleases(
  items: readonly FeedRelease[],
  content: ReleaseContent,
  warnings: FeedWarning[],
): Release[] {
  const { systems } = content.product;
  const mainSystem = systems[0].os;
  const publishedReleases = leaveOutOtherSystems(
    items,
    systems.map(({ os }) => os),
    warnings,
  );
  const groups = groupReleases(publishedReleases, warnings);
  const habits = { namesArm64: publishedReleases.some(({ source, arch }) => source === 'appcast' && arch === 'arm64') };
  const leaders = groups.map(getLeadingFile);
  const dates = findDates(groups, warnings);
  const ids = assignReleaseIds(leaders, warnings);
  const releases = groups.map((group, place): Release => {
    const [first, ...others] = describeBuilds(group, systems, habits, warnings);
    const leader = leaders[place];
    if (first === undefined || leader === undefined) throw new Error('A release has no file.');
    const builds: Release['builds'] = [first, ...others];
    const main = findMainBuild(builds, mainSystem);
    const { day, source } = dates[place] ?? noDate;
    const { version, title } = group[0];
    // Sources of another kind than appcasts may list one release on several channels; the default one, null, then counts.
    const channel = group.some((file) => file.channel === null) ? null : group[0].channel;
    const overlay = content.releaseNotes.get(version);
    const notesFile = group.find(({ notes }) => notes !== '') ?? first;
    return {
      ...main,
      version,
      channel,
      title,
      feedIndex: first.feedIndex,
      id: ids.get(leader) ?? version,
      publishedAt: day,
      publishedAtSource: source,
      publishedAtTime: findEarliestTime(group),
      notesUrl: group.find(({ notesUrl }) => notesUrl !== null)?.notesUrl ?? null,
      fullNotesUrl: group.find(({ fullNotesUrl }) => fullNotesUrl !== null)?.fullNotesUrl ?? null,
      notes: overlay ?? notesFile.notes,
      notesFormat:
        overlay === undefined && notesFile.notesFormat === 'plain-text'
          ? ('plain-text' as const)
          : ('markdown' as const),
      platform: describePlatform(main),
      builds,
      index: 0,
    };
  });
  releases.sort((a, b) => compareReleases(getSortKey(a), getSortKey(b)) || a.feedIndex - b.feedIndex);
  return numberEqualKeys(releases);
}

/**
 * Returns a copy of the release with the facts of one of its builds: the one for the computer that somebody asked about. The
 * release keeps its own ID, version, channel, title, day and notes.
 */
export function replaceBuild(release: Release, build: Build): Release {
  const { version, channel, title, publishedAtTime, notes, notesFormat, notesUrl, fullNotesUrl, feedIndex, ...facts } =
    build;
  return { ...release, ...facts, platform: describePlatform(build) };
}

/**
 * Describes what a build runs on in the contract's terms, in which nothing is unknown. A minimum that nobody states is `0`. A
 * processor that nobody states is x86_64, and so is one of the past, such as x86, whose programs run there.
 */
function describePlatform({ os, arch, minVersion, maxVersion, hardware }: Build): Release['platform'] {
  const mainArch = arch === 'arm64' || arch === 'universal' ? arch : 'x86_64';
  return { os, minVersion: minVersion ?? '0', maxVersion, arch: mainArch, hardware };
}

/**
 * Returns the files without those for systems that product.yaml does not name, because nobody has said what they need. Adds a
 * warning to `warnings` for each such system.
 */
function leaveOutOtherSystems(
  items: readonly FeedRelease[],
  systems: readonly SystemName[],
  warnings: FeedWarning[],
): FeedRelease[] {
  const others = Map.groupBy(
    items.filter(({ os }) => !systems.includes(os)),
    ({ os }) => os,
  );
  for (const [os, files] of others) {
    const count = files.length === 1 ? '1 file is' : `${files.length} files are`;
    const message = `${count} for ${os} and left out, because platform.os in product.yaml names ${systems.join(' and ')} only. Add ${os} to it, with its minimums.`;
    warnings.push({ line: files[0]?.line ?? null, message });
  }
  return items.filter(({ os }) => systems.includes(os));
}

/**
 * Compares two keys of day, build and index in the order of listings: the newest day first, then the highest build by the updater's
 * own comparison, then as the feed has them.
 */
export function compareReleases(a: SortKey, b: SortKey): number {
  const [dayA = '', buildA = '', indexA = 0] = a;
  const [dayB = '', buildB = '', indexB = 0] = b;
  if (dayA !== dayB) return dayA < dayB ? 1 : -1;
  return compareSparkleVersions(String(buildB), String(buildA)) || Number(indexA) - Number(indexB);
}

const getSortKey = ({ publishedAt, build, index }: Release): SortKey => [publishedAt, build, index];

interface ReleaseDate {
  readonly day: string;
  readonly source: DateSource;
}

/** The day of a release in a feed without any date. */
const noDate: ReleaseDate = { day: '1970-01-01', source: 'unknown' };

/**
 * Returns the time of the earliest file in RFC 3339 and UTC, because a release is out when its first build is; null if no file has
 * one that can be read.
 */
const findEarliestTime = (group: ReleaseGroup): string | null =>
  group.flatMap(({ publishedAtTime }) => publishedAtTime ?? []).sort()[0] ?? null;

/**
 * Returns the day of each release, and adds a warning for each day that is missing or cannot be read. Such a day is taken from the
 * next release below that has one, else from the next above, or is 1970-01-01 if no release has one: feeds grow at the top, and no
 * day may change by that. The day it was first seen would not do, since it differs from machine to machine, and nothing served may
 * depend on the clock.
 */
function findDates(groups: readonly ReleaseGroup[], warnings: FeedWarning[]): ReleaseDate[] {
  const days = groups.map((group) => findEarliestTime(group)?.slice(0, 10) ?? null);
  return groups.map(([{ version, build, line }], place) => {
    const day = days[place];
    if (day) return { day, source: 'feed' };
    const neighbor = days.slice(place).find(Boolean) ?? days.slice(0, place).findLast(Boolean) ?? null;
    const date: ReleaseDate = neighbor === null ? noDate : { day: neighbor, source: 'neighbor' };
    const whose = neighbor === null ? 'since no release has one' : 'the date of its neighbor';
    warnings.push({
      line,
      message: `Release ${version} (build ${build}) has no date that can be read; it is listed under ${date.day}, ${whose}.`,
    });
    return date;
  });
}

/** Returns the sorted releases with their places among equal keys as `index`, so that every release has a unique key. */
function numberEqualKeys(releases: readonly Release[]): Release[] {
  let before: Release | null = null;
  return releases.map((release) => {
    const isEqual =
      before !== null &&
      compareReleases([before.publishedAt, before.build], [release.publishedAt, release.build]) === 0;
    const numberedRelease: Release = isEqual && before !== null ? { ...release, index: before.index + 1 } : release;
    before = numberedRelease;
    return numberedRelease;
  });
}
