/** Which release the updater offers a computer, by Sparkle's own rules. */
import { compareSparkleVersions } from '../base/sparkle-version.ts';
import type { FeedRelease } from './release.ts';

/** What the updater looks at. Phased rollouts and skipped versions do not count, as in a check that the user starts. */
export interface Computer {
  /** A version of the operating system; null is newer than any that a release names. */
  readonly osVersion: string | null;
  /** Whether it has Apple silicon. */
  readonly hasArm64: boolean;
}

/** A Mac on the newest macOS. */
export const newestComputer: Computer = { osVersion: null, hasArm64: true };

/** What the updater looks at in a release. */
type Offered = Requirements & Pick<FeedRelease, 'build' | 'channel'>;

type Requirements = Pick<FeedRelease, 'minimumOsVersion' | 'maximumOsVersion' | 'requiresArm64'>;

/** Whether the updater on that computer looks at the release at all. An empty requirement is none. */
export function runsOn(
  computer: Computer,
  { minimumOsVersion, maximumOsVersion, requiresArm64 }: Requirements,
): boolean {
  if (requiresArm64 && !computer.hasArm64) return false;
  const { osVersion } = computer;
  if (osVersion === null) return maximumOsVersion === null;
  return (
    (minimumOsVersion === null || compareSparkleVersions(minimumOsVersion, osVersion) <= 0) &&
    (maximumOsVersion === null || compareSparkleVersions(maximumOsVersion, osVersion) >= 0)
  );
}

/**
 * The highest build; of equal ones the first. Neither dates nor the order count otherwise. A linear scan, as in Sparkle, so
 * that even odd builds give the same result.
 */
export function highestBuild<Item extends Pick<FeedRelease, 'build'>>(inFeedOrder: readonly Item[]): Item | null {
  let highest: Item | null = null;
  for (const item of inFeedOrder) {
    if (highest === null || compareSparkleVersions(highest.build, item.build) < 0) highest = item;
  }
  return highest;
}

/** The highest build of the default channel: what a feed is measured by, whatever runs it. `releases` in the feed's order. */
export const latestRelease = <R extends Offered>(releases: readonly R[]): R | null =>
  highestBuild(releases.filter(({ channel }) => channel === null));

/** What the updater offers a computer that is on that channel too (null: on the default one only), in the feed's order. */
export const offeredRelease = <R extends Offered>(
  releases: readonly R[],
  computer: Computer = newestComputer,
  channel: string | null = null,
): R | null =>
  highestBuild(
    releases.filter(
      (release) => (release.channel === null || release.channel === channel) && runsOn(computer, release),
    ),
  );
