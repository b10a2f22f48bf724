/** Everything that is looked up in the releases of a feed, and what the operator should know about them. */
import { compareOsVersions, parseOsVersion } from '../base/os-version.ts';
import type { Content } from '../content/content.ts';
import type { FeedRelease, FeedSnapshot, FeedWarning } from '../feed/release.ts';
import { latestRelease, offeredRelease } from '../feed/selection.ts';
import type { SystemRequirements } from './compatibility.ts';
import { type OfferInput, offerOf } from './offer.ts';
import { releaseFinder } from './release-ids.ts';
import { type Release, type ReleaseSource, releasesFrom } from './releases.ts';

export interface ReleaseIndex {
  /** Every channel's, in the order of listings; null when no feed was ever had. */
  readonly releases: readonly Release[] | null;
  /** What the updater offers a Mac on the newest macOS, or null when that is nothing. */
  readonly latest: Release | null;
  /** What the updater offers a computer. Throws as `offerOf` does. */
  offered(input: OfferInput): Release;
  /** The feed's file as it was adopted; null when none ever was. */
  readonly feedFile: Pick<FeedSnapshot, 'revision' | 'bytes' | 'address' | 'hasRelativeUrls'> | null;
  /** The default channel's releases, with those of the named channel where one is given. */
  releasesOf(channel: string | null): readonly Release[];
  /** By its version, on any channel: of several builds the highest. By `version+build`: that build. */
  release(id: string): Release | undefined;
  /** The named channels that have releases, sorted. */
  readonly channels: readonly string[];
  /** In the order of listings, each once. */
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
  const items = feed?.releases ?? [];
  const sources = releasesFrom(items, content, warnings);
  const all = sources.map(({ release }) => release);
  warnings.push(...notesWarnings(all, content.product.feed.notes === 'fetch'));
  const byItem = new Map(sources.map((source) => [source.item, source]));
  const sourceOf = (item: FeedRelease | null) => (item === null ? null : (byItem.get(item) ?? null));
  const latest = sourceOf(offeredRelease(items));
  // Without one for the newest OS, the highest build says what runs the application.
  const requirements = requirementsOf(content, latest ?? sourceOf(latestRelease(items)), warnings);
  const channels = [...new Set(all.flatMap(({ channel }) => channel ?? []))].sort();
  const ofDefault = all.filter(({ channel }) => channel === null);
  const byChannel = new Map(
    channels.map((name) => [name, all.filter(({ channel }) => channel === null || channel === name)]),
  );
  return {
    releases: feed === null ? null : all,
    latest: latest?.release ?? null,
    offered(input) {
      const isNewest = input.channel === null && input.osVersion === null && input.arch === null;
      if (isNewest && latest !== null) return latest.release;
      const offered = sourceOf(offerOf(items, content, input));
      if (offered === null) throw new Error('a release that is offered is not listed');
      return offered.release;
    },
    feedFile: feed,
    releasesOf: (channel) => (channel === null ? ofDefault : (byChannel.get(channel) ?? ofDefault)),
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

function requirementsOf(
  { product }: Content,
  latest: ReleaseSource | null,
  warnings: FeedWarning[],
): SystemRequirements {
  const { os_version: osVersion, arch } = product.minimums;
  const requirements: SystemRequirements = {
    osVersion,
    archs: arch,
    testedUpTo: product.platform.tested_up_to ?? null,
    maximumOsVersion: null,
  };
  if (latest === null) return requirements;
  const { release: newest, item } = latest;
  const { line } = item;
  const ofLatest = newest.platform.minVersion;
  const order = compareOsVersions(parseOsVersion(ofLatest) ?? [], parseOsVersion(osVersion) ?? []);
  if (order !== 0) {
    const message = `product.yaml says that ${osVersion} is the oldest OS version; the latest release, ${newest.version}, says ${ofLatest}. The stricter one, ${order > 0 ? ofLatest : osVersion}, is used.`;
    warnings.push({ line, message });
  }
  if (item.requiresArm64 && arch.includes('x86_64')) {
    const message = `product.yaml says that x86_64 runs the application; the latest release, ${newest.version}, requires arm64, which is used.`;
    warnings.push({ line, message });
  }
  return {
    ...requirements,
    osVersion: order > 0 ? ofLatest : osVersion,
    archs: item.requiresArm64 ? ['arm64'] : arch,
    maximumOsVersion: item.maximumOsVersion,
  };
}
