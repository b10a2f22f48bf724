/** Everything that is looked up in the releases of a feed, and what the operator should know about them. */
import { compareOsVersions, parseOsVersion } from '../base/os-version.ts';
import type { Content } from '../content/content.ts';
import type { FeedSnapshot, FeedWarning } from '../feed/release.ts';
import { latestRelease, offeredRelease } from '../feed/selection.ts';
import type { SystemRequirements } from './compatibility.ts';
import { findOffer, type OfferInput } from './offer.ts';
import { releaseFinder } from './release-ids.ts';
import { createReleases, type Release } from './releases.ts';

export interface ReleaseIndex {
  /** Every channel's, in the order of listings; null when no feed was ever had. */
  readonly releases: readonly Release[] | null;
  /** The release that the updater offers a Mac on the newest macOS, or null if there is none. */
  readonly latest: Release | null;
  /** Returns the release that the updater offers a computer. Throws as `findOffer` does. */
  offered(input: OfferInput): Release;
  /** The feed's file as it was adopted; null when none ever was. */
  readonly feedFile: Pick<FeedSnapshot, 'revision' | 'bytes' | 'address' | 'hasRelativeUrls'> | null;
  /** The default channel's releases, with those of the named channel where one is given. */
  releasesOf(channel: string | null): readonly Release[];
  /** Finds a release on any channel by its version (of several builds the highest), or by `version+build`. */
  release(id: string): Release | undefined;
  /** The named channels that have releases, sorted. */
  readonly channels: readonly string[];
  /** Versions in the order of listings, each once. */
  readonly versions: readonly string[];
  /**
   * What the current release needs: the stricter of product.yaml's minimums and those of the release that the updater offers.
   * Every statement about the current release asks this; `latest` keeps the minimum that the feed has for its build.
   */
  readonly requirements: SystemRequirements;
  readonly warnings: readonly FeedWarning[];
}

export function createReleaseIndex(content: Content, feed: FeedSnapshot | null): ReleaseIndex {
  const warnings: FeedWarning[] = [];
  const all = createReleases(feed?.releases ?? [], content, warnings);
  const inFeedOrder = all.toSorted((a, b) => a.feedIndex - b.feedIndex);
  warnings.push(...notesWarnings(all, content.product.feed.notes === 'fetch'));
  const latest = offeredRelease(inFeedOrder);
  // Without one for the newest OS, the highest build says what runs the application.
  const requirements = findRequirements(content, latest ?? latestRelease(inFeedOrder), warnings);
  const channels = [...new Set(all.flatMap(({ channel }) => channel ?? []))].sort();
  return {
    releases: feed === null ? null : all,
    latest,
    offered(input) {
      const isNewest = input.channel === null && input.osVersion === null && input.arch === null;
      return isNewest && latest !== null ? latest : findOffer(inFeedOrder, content, input);
    },
    feedFile: feed,
    releasesOf: (name) => all.filter(({ channel }) => channel === null || channel === name),
    release: releaseFinder(all),
    channels,
    versions: [...new Set(all.map(({ version }) => version))],
    requirements,
    warnings,
  };
}

/** How many releases have their notes elsewhere, or none. */
function notesWarnings(releases: readonly Release[], isFetching: boolean): FeedWarning[] {
  const isLinked = ({ notesUrl, fullNotesUrl }: Release): boolean => (notesUrl ?? fullNotesUrl) !== null;
  // What is being fetched is no news; what fails is logged where it fails.
  const silent = releases.filter((release) => release.notes === '' && !(isFetching && isLinked(release)));
  const linked = silent.filter(isLinked).length;
  if (silent.length === 0) return [];
  const count = `${silent.length} of ${releases.length} releases ${silent.length === 1 ? 'has' : 'have'} no notes here`;
  const advice =
    linked === 0
      ? 'write them in releases/VERSION.md'
      : `${linked === silent.length ? (linked === 1 ? 'it links' : 'they link') : `${linked} of them ${linked === 1 ? 'links' : 'link'}`} to notes elsewhere: write \`notes: fetch\` below feed in product.yaml to publish them here`;
  return [{ line: null, message: `${count}; ${advice}.` }];
}

function findRequirements({ product }: Content, latest: Release | null, warnings: FeedWarning[]): SystemRequirements {
  const { os_version: osVersion, arch } = product.minimums;
  const requirements: SystemRequirements = {
    osVersion,
    archs: arch,
    testedUpTo: product.platform.tested_up_to ?? null,
    maximumOsVersion: null,
  };
  if (latest === null) return requirements;
  const { line, version } = latest;
  const ofLatest = latest.platform.minVersion;
  const order = compareOsVersions(parseOsVersion(ofLatest) ?? [], parseOsVersion(osVersion) ?? []);
  if (order !== 0) {
    const message = `product.yaml says that ${osVersion} is the oldest OS version; the latest release, ${version}, says ${ofLatest}. The stricter one, ${order > 0 ? ofLatest : osVersion}, is used.`;
    warnings.push({ line, message });
  }
  if (latest.requiresArm64 && arch.includes('x86_64')) {
    const message = `product.yaml says that x86_64 runs the application; the latest release, ${version}, requires arm64, which is used.`;
    warnings.push({ line, message });
  }
  return {
    ...requirements,
    osVersion: order > 0 ? ofLatest : osVersion,
    archs: latest.requiresArm64 ? ['arm64'] : arch,
    maximumOsVersion: latest.maximumOsVersion,
  };
}
