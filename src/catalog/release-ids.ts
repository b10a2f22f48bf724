/** IDs of releases: vendors give several builds the same version, and each needs its own address. */
import type { FeedRelease, FeedWarning } from '../feed/release.ts';
import { findHighestBuild } from '../feed/selection.ts';

/**
 * Returns the ID of each item: the version for the highest build of a version, and `version+build` for the others; where even that
 * is taken, a number follows, such as `2.0+20+2`. `items` are in the feed's order. A warning about every version with several
 * builds is added to `warnings`.
 */
export function assignReleaseIds(items: readonly FeedRelease[], warnings: FeedWarning[]): Map<FeedRelease, string> {
  const byVersion = Map.groupBy(items, ({ version }) => version);
  const ids = new Map<FeedRelease, string>();
  const takenIds = new Set(byVersion.keys());
  for (const [version, builds] of byVersion) {
    const highest = findHighestBuild(builds);
    if (highest !== null) {
      ids.set(highest, version);
      // `VERSION+BUILD` finds this release too, so no other release may have that ID.
      takenIds.add(`${version}+${highest.build}`);
    }
    const [, second] = builds;
    if (second !== undefined)
      warnings.push({ line: second.line, message: explainSeveralBuilds(version, builds.length) });
  }
  for (const item of items) {
    if (ids.has(item)) continue;
    const id = chooseFreeId(`${item.version}+${item.build}`, takenIds);
    takenIds.add(id);
    ids.set(item, id);
  }
  return ids;
}

function chooseFreeId(preferredId: string, takenIds: ReadonlySet<string>): string {
  let id = preferredId;
  for (let count = 2; takenIds.has(id); count += 1) id = `${preferredId}+${count}`;
  return id;
}

const explainSeveralBuilds = (version: string, count: number): string =>
  `${count} releases have the version ${version}: /releases/${version} is the highest build, and /releases/${version}+BUILD each of them. Give every build for the same computers a different version.`;

/**
 * Returns a function that finds a release by its ID, or by `version+build` if no release has that ID; undefined if there is none.
 * If several have that version and build, it finds the one whose ID is the version, or else the first in `releases`, which are in
 * the order of listings.
 */
export function createReleaseFinder<
  R extends { readonly id: string; readonly version: string; readonly build: string },
>(releases: readonly R[]): (id: string) => R | undefined {
  const byId = new Map(releases.map((release) => [release.id, release]));
  const findByBuild = (id: string): R | undefined => {
    const matches = releases.filter(({ version, build }) => `${version}+${build}` === id);
    return matches.find(({ id, version }) => id === version) ?? matches[0];
  };
  return (id) => byId.get(id) ?? findByBuild(id);
}

/** Returns the path of a release's page, such as `/releases/2.1.0`; its ID is percent-encoded except for `+`. */
export const getReleasePath = ({ id }: { readonly id: string }): string =>
  `/releases/${encodeURIComponent(id).replaceAll('%2B', '+')}`;
