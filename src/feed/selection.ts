/** Decides which release the updater offers a computer, by Sparkle's rules; other updaters differ only in the order of versions. */

import { compareNumbers, compareVersions } from '../base/semver.ts';
import { compareSparkleVersions } from '../base/sparkle-version.ts';
import { parseVersion, type SystemName } from '../base/systems.ts';
import { emulatesX64 } from '../base/windows-version.ts';
import type { FeedRelease } from './release.ts';

/** The computer that an updater runs on. Phased rollouts and skipped versions do not count, as in a check that the user starts. */
export interface Computer {
  readonly os: SystemName;
  /** A version of the operating system; null is newer than any that a release names. */
  readonly osVersion: readonly number[] | null;
  /** The processor, or null for any: a file for either one runs then. */
  readonly arch: 'arm64' | 'x86_64' | null;
}

/** The facts of a file by which an updater offers it to a computer. */
export type Requirements = Pick<FeedRelease, 'os' | 'arch' | 'minimumOsVersion' | 'maximumOsVersion'>;

/**
 * Returns whether a computer runs a file. A requirement that is missing is met, as in Sparkle and WinSparkle, and so is a version
 * of Windows or Linux that cannot be read. Without `osVersion`, no file with a maximum version runs; without `arch`, a file for
 * either processor does.
 */
export function runsOn(computer: Computer, file: Requirements): boolean {
  const { os, osVersion } = computer;
  if (file.os !== os || rankArch(computer, file.arch) === null) return false;
  const { minimumOsVersion: minimum, maximumOsVersion: maximum } = file;
  if (osVersion === null) return maximum === null;
  return (
    (minimum === null || compareTo(os, minimum, osVersion) <= 0) &&
    (maximum === null || compareTo(os, maximum, osVersion) >= 0)
  );
}

/**
 * Compares a version that a file states with a computer's: below 0 if it is older, above 0 if it is newer, 0 if it is equal. A
 * version of Windows or Linux that cannot be read gives 0; one of macOS is compared as `compareSparkleVersions` does.
 */
function compareTo(os: SystemName, version: string, computer: readonly number[]): number {
  if (os === 'macOS') return compareSparkleVersions(version, computer.join('.'));
  const fileVersion = parseVersion(os, version);
  return fileVersion === null ? 0 : compareNumbers(fileVersion, computer);
}

/**
 * Returns how well a file fits the processor, from 0, the best, to 4, or null if it does not run there; a file whose processor is
 * not known has 2. If the computer's is null, `universal` is best, and files for `arm64` and `x86_64` fit, those for the more usual
 * one better. Emulation counts only on Windows for ARM, and a processor that `Computer` does not know, such as `x86`, never fits.
 */
export function rankArch({ os, osVersion, arch }: Computer, fileArch: string | null): number | null {
  if (fileArch === null) return 2;
  if (fileArch === 'universal') return arch === null ? 0 : 1;
  if (fileArch === arch) return 0;
  if (fileArch !== 'arm64' && fileArch !== 'x86_64') return null;
  // Most computers with Windows or Linux have x86_64 and most Macs Apple silicon, so these files come first for a caller without `arch`.
  if (arch === null) return (fileArch === 'arm64') === (os === 'macOS') ? 1 : 3;
  const isEmulated = os === 'Windows' && arch === 'arm64' && (osVersion === null || emulatesX64(osVersion));
  return isEmulated ? 4 : null;
}

/** The facts of a file that the order of releases depends on. */
export type Ordered = Pick<FeedRelease, 'source' | 'version' | 'build'>;

/**
 * Compares two files of one system, below 0 if `a` is older, above 0 if it is newer: by Sparkle's comparison of builds if both are
 * from an appcast, and otherwise by version.
 */
export const compareUpdates = (a: Ordered, b: Ordered): number =>
  a.source === 'appcast' && b.source === 'appcast'
    ? compareSparkleVersions(a.build, b.build)
    : compareVersions(a.version, b.version);

/**
 * Returns the item with the highest build, and of equal ones the first, or null for an empty list. Neither dates nor the order
 * count otherwise. A linear scan, as in Sparkle, gives the same result even for odd builds.
 */
export function findHighestBuild<Item extends Ordered>(inFeedOrder: readonly Item[]): Item | null {
  let highest: Item | null = null;
  for (const item of inFeedOrder) if (highest === null || compareUpdates(highest, item) < 0) highest = item;
  return highest;
}

type Offered = Requirements & Ordered & Pick<FeedRelease, 'channel'>;

/**
 * Returns the item with the highest build of the default channel, for whatever system it is, or null if that channel is empty.
 * `releases` are in the feed's order.
 */
export const findLatestRelease = <R extends Offered>(releases: readonly R[]): R | null =>
  findHighestBuild(releases.filter(({ channel }) => channel === null));
