/** Everything that is looked up in the releases of a feed, and what the operator should know about them. */
import { ApiError } from '../base/api-error.ts';
import type { Content } from '../content/content.ts';
import { addFolderReleases } from '../feed/folder-releases.ts';
import type { FeedSnapshot, FeedWarning } from '../feed/release.ts';
import { compareUpdates } from '../feed/selection.ts';
import { findCurrent, findOffer, type OfferInput, selectBuild } from './offer.ts';
import { releaseFinder } from './release-ids.ts';
import { createReleases, type Release } from './releases.ts';
import { findRequirements, hasBuild, type SystemRequirements } from './requirements.ts';

export interface ReleaseIndex {
  /** Every channel's, in the order of listings; null when no feed was ever had. */
  readonly releases: readonly Release[] | null;
  /** The release that the updater offers a computer on the newest version of the main system, or null if there is none. */
  readonly latest: Release | null;
  /** Returns the release that the updater offers a computer. Throws as `findOffer` does. */
  offered(input: OfferInput): Release;
  /** Returns a release with the facts of its build for a computer. Throws as `selectBuild` does. */
  selectBuild(release: Release, input: Omit<OfferInput, 'channel'>): Release;
  /** The first appcast as it was adopted; null if none is a source, or none ever was read. */
  readonly feedFile: Pick<FeedSnapshot, 'revision' | 'bytes' | 'source' | 'address' | 'hasRelativeUrls'> | null;
  /** The default channel's releases, with those of the named channel where one is given. */
  releasesOf(channel: string | null): readonly Release[];
  /** Finds a release on any channel by its version (of several builds the highest), or by `version+build`. */
  release(id: string): Release | undefined;
  /** The named channels that have releases, sorted. */
  readonly channels: readonly string[];
  /** Versions in the order of listings, each once. */
  readonly versions: readonly string[];
  /** Returns the releases that are newer than a version, in the order of listings. `releases` are those to choose from. */
  newerThan(release: Release, releases: readonly Release[]): readonly Release[];
  /**
   * What the current release needs on each system, the main one first: the stricter of product.yaml's minimums and those of the
   * release that the updater offers. Every statement about the current release asks this; `latest` keeps the minimum that the
   * feed has for its build.
   */
  readonly systems: readonly [SystemRequirements, ...SystemRequirements[]];
  /** The main system, and those of the others for which there is a build. */
  readonly supported: ReleaseIndex['systems'];
  /** The requirements on the main system. */
  readonly requirements: SystemRequirements;
  readonly warnings: readonly FeedWarning[];
}

export function createReleaseIndex(content: Content, feed: FeedSnapshot | null): ReleaseIndex {
  const warnings: FeedWarning[] = [];
  const files = addFolderReleases(feed?.releases ?? [], content, warnings);
  const all = createReleases(files, content, warnings);
  const isFetching = content.product.sources.some(({ notes }) => notes === 'fetch');
  warnings.push(...notesWarnings(all, isFetching));
  const [mainSystem, ...otherSystems] = content.product.systems;
  const requirements = findRequirements(mainSystem, findCurrent(all, mainSystem), warnings);
  const systems: ReleaseIndex['systems'] = [
    requirements,
    ...otherSystems.map((system) =>
      findRequirements(system, findCurrent(all, system) ?? requirements.current, warnings),
    ),
  ];
  const offered = (input: OfferInput): Release => findOffer(all, content.product, input);
  const latest = tryOffer(() => offered(newestMachine));
  const channels = [...new Set(all.flatMap(({ channel }) => channel ?? []))].sort();
  return {
    releases: feed === null && content.releases.length === 0 ? null : all,
    latest,
    offered,
    selectBuild: (release, input) => selectBuild(release, content.product, input),
    feedFile: feed?.kind === 'appcast' ? feed : null,
    releasesOf: (name) => all.filter(({ channel }) => channel === null || channel === name),
    release: releaseFinder(all),
    channels,
    versions: [...new Set(all.map(({ version }) => version))],
    newerThan: (release, from) => from.filter((other) => compareUpdates(other, release) > 0),
    systems,
    supported: [requirements, ...systems.slice(1).filter(hasBuild)],
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

/** What a caller who says nothing asks about. */
export const newestMachine: OfferInput = { os: null, osVersion: null, arch: null, channel: null, format: null };

/** Returns what is offered, or null if nothing is. */
export function tryOffer(offer: () => Release): Release | null {
  try {
    return offer();
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  }
}
