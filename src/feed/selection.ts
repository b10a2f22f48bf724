/** Which release an updater would offer. */
import { compareSparkleVersions } from '../base/sparkle-version.ts';
import type { FeedRelease } from './release.ts';

/**
 * The highest build of one channel (null: the default one); of equal builds the first in the feed. Neither dates nor
 * the feed's order count otherwise. A linear scan, as in Sparkle, so that even odd builds give the same answer.
 */
export function latestRelease(releases: readonly FeedRelease[], channel: string | null = null): FeedRelease | null {
  let latest: FeedRelease | null = null;
  for (const release of releases) {
    if (release.channel !== channel) continue;
    if (latest === null || compareSparkleVersions(latest.build, release.build) < 0) latest = release;
  }
  return latest;
}
