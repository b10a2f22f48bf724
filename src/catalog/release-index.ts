/** Indexes the releases of a feed for every lookup, and lists warnings about them for the operator. */
import { ApiError } from '../base/api-error.ts';
import { joinFolderReleases } from '../feed/folder-releases.ts';
import type { FeedSnapshot, FeedWarning } from '../feed/release.ts';
import { compareUpdates } from '../feed/selection.ts';
import { findCurrent, findOffer, type OfferInput, selectBuild } from './offer.ts';
import { createReleaseFinder } from './release-ids.ts';
import { createReleases, type Release, type ReleaseContent } from './releases.ts';
import { findRequirements, hasBuild, type SystemRequirements } from './requirements.ts';

/** The releases of a revision, and every lookup in them. */
export interface ReleaseIndex {
  /**
   * The releases of every channel, in the order of listings (newest first), or null if no feed was ever read and the folder lists
   * none.
   */
  readonly releases: readonly Release[] | null;
  /** The release that the updater offers a computer on the newest version of the main system, or null if there is none. */
  readonly latest: Release | null;
  /**
   * Returns the release that the updater offers a computer. Throws an ApiError `not_found`, `unprocessable` or `invalid_request`
   * where `findOffer` does.
   */
  offered(input: OfferInput): Release;
  /**
   * Returns a release with the facts of its build for a computer. Throws an ApiError `not_found`, `unprocessable` or
   * `invalid_request` where the function `selectBuild` does.
   */
  selectBuild(release: Release, input: Omit<OfferInput, 'channel'>): Release;
  /** The bytes and the address of the first appcast, or null if no source is an appcast or none was ever read. */
  readonly feedFile: Pick<FeedSnapshot, 'revision' | 'bytes' | 'source' | 'address' | 'hasRelativeUrls'> | null;
  /**
   * Returns the releases of the default channel and those of the named one, in the order of listings; null means the default
   * channel alone. The list is empty if no release is known, and an unknown channel adds nothing.
   */
  listReleases(channel: string | null): readonly Release[];
  /**
   * Finds a release on any channel by its `id` or by `version+build`, or returns undefined. The version alone is the ID of its
   * highest build.
   */
  release(id: string): Release | undefined;
  /** The named channels that have releases, sorted. */
  readonly channels: readonly string[];
  /** Versions in the order of listings, each once. */
  readonly versions: readonly string[];
  /** Returns the `releases` that are newer than `release` in the updater's order; they keep the order in which they are given. */
  newerThan(release: Release, releases: readonly Release[]): readonly Release[];
  /**
   * The requirements of the current release on each system, the main one first: the stricter of product.yaml's minimums and those
   * of the release that the updater offers. Every statement about the current release uses them; `latest` keeps the minimum that
   * the feed has for its build.
   */
  readonly systems: readonly [SystemRequirements, ...SystemRequirements[]];
  /** The main system, and those of the others for which there is a build. */
  readonly supported: ReleaseIndex['systems'];
  /** The requirements on the main system. */
  readonly requirements: SystemRequirements;
  readonly warnings: readonly FeedWarning[];
}

/**
 * Creates the index of the releases of a feed and of the folder, joined, with the warnings about them in `warnings`. `feed` is null
 * if no feed was ever read.
 */
export function createReleaseIndex(content: ReleaseContent, feed: FeedSnapshot | null): ReleaseIndex {
  const warnings: FeedWarning[] = [];
  const files = joinFolderReleases(feed?.releases ?? [], content, warnings);
  const all = createReleases(files, content, warnings);
  const isFetching = content.product.sources.some(({ notes }) => notes === 'fetch');
  warnings.push(...listNotesWarnings(all, isFetching));
  const [mainSystem, ...otherSystems] = content.product.systems;
  const requirements = findRequirements(mainSystem, findCurrent(all, mainSystem), warnings);
  const systems: ReleaseIndex['systems'] = [
    requirements,
    ...otherSystems.map((system) =>
      findRequirements(system, findCurrent(all, system) ?? requirements.current, warnings),
    ),
  ];
  const findOffered = (input: OfferInput): Release => findOffer(all, content.product, input);
  const latest = tryOffer(() => findOffered(newestMachine));
  const channels = [...new Set(all.flatMap(({ channel }) => channel ?? []))].sort();
  return {
    releases: feed === null && content.releases.length === 0 ? null : all,
    latest,
    offered: findOffered,
    selectBuild: (release, input) => selectBuild(release, content.product, input),
    feedFile: feed?.kind === 'appcast' ? feed : null,
    listReleases: (name) => all.filter(({ channel }) => channel === null || channel === name),
    release: createReleaseFinder(all),
    channels,
    versions: [...new Set(all.map(({ version }) => version))],
    newerThan: (release, from) => from.filter((other) => compareUpdates(other, release) > 0),
    systems,
    supported: [requirements, ...systems.slice(1).filter(hasBuild)],
    requirements,
    warnings,
  };
}

/**
 * Returns a warning that counts the releases without notes, or an empty array if all have some. If `isFetching`, a link to notes
 * counts as notes.
 */
function listNotesWarnings(releases: readonly Release[], isFetching: boolean): FeedWarning[] {
  const isLinked = ({ notesUrl, fullNotesUrl }: Release): boolean => (notesUrl ?? fullNotesUrl) !== null;
  // Notes that are being fetched are not missing; a failed fetch is logged where it fails.
  const silent = releases.filter((release) => release.notes === '' && !(isFetching && isLinked(release)));
  const linkCount = silent.filter(isLinked).length;
  if (silent.length === 0) return [];
  const count = `${silent.length} of ${releases.length} releases ${silent.length === 1 ? 'has' : 'have'} no notes here`;
  const advice =
    linkCount === 0
      ? 'write them in releases/VERSION.md'
      : `${linkCount === silent.length ? (linkCount === 1 ? 'it links' : 'they link') : `${linkCount} of them ${linkCount === 1 ? 'links' : 'link'}`} to notes elsewhere: write \`notes: fetch\` below feed in product.yaml to publish them here`;
  return [{ line: null, message: `${count}; ${advice}.` }];
}

/** The computer of a caller who sends no parameters: the newest version of the main system, on the default channel. */
export const newestMachine: OfferInput = { os: null, osVersion: null, arch: null, channel: null, format: null };

/** Returns the release that `offer` finds, or null if it throws an ApiError. Any other error is passed on. */
export function tryOffer(offer: () => Release): Release | null {
  try {
    return offer();
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  }
}
