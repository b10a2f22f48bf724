/** IDs of releases: vendors give several builds the same version, and each needs its own address. */
import type { FeedRelease, FeedWarning } from '../feed/release.ts';
import { highestBuild } from '../feed/selection.ts';

/**
 * Returns the ID of each item: the version for the highest build of a version, and `version+build` for the others; where even that is
 * taken, a number follows. `items` are in the feed's order. Every version with several builds goes to `warnings`.
 */
export function assignReleaseIds(items: readonly FeedRelease[], warnings: FeedWarning[]): Map<FeedRelease, string> {
  const byVersion = Map.groupBy(items, ({ version }) => version);
  const ids = new Map<FeedRelease, string>();
  const taken = new Set(byVersion.keys());
  for (const [version, builds] of byVersion) {
    const highest = highestBuild(builds);
    if (highest !== null) {
      ids.set(highest, version);
      // Its version and build mean it, too.
      taken.add(`${version}+${highest.build}`);
    }
    const [, second] = builds;
    if (second !== undefined) warnings.push({ line: second.line, message: severalBuilds(version, builds.length) });
  }
  for (const item of items) {
    if (ids.has(item)) continue;
    const id = firstFree(`${item.version}+${item.build}`, taken);
    taken.add(id);
    ids.set(item, id);
  }
  return ids;
}

function firstFree(wanted: string, taken: ReadonlySet<string>): string {
  let id = wanted;
  for (let count = 2; taken.has(id); count += 1) id = `${wanted}+${count}`;
  return id;
}

const severalBuilds = (version: string, count: number): string =>
  `${count} releases have the version ${version}: /releases/${version} is the highest build, and /releases/${version}+BUILD each of them. Give every build for the same computers a different version.`;

/**
 * Returns a function that finds a release by its ID, or by `version+build` if no release has that ID; undefined if there is none.
 * `releases` are in the order of listings.
 */
export function releaseFinder<R extends { readonly id: string; readonly version: string; readonly build: string }>(
  releases: readonly R[],
): (wanted: string) => R | undefined {
  const byId = new Map(releases.map((release) => [release.id, release]));
  const findByBuild = (wanted: string): R | undefined => {
    const named = releases.filter(({ version, build }) => `${version}+${build}` === wanted);
    // If two releases have the same build, the one whose ID is the version keeps the name.
    return named.find(({ id, version }) => id === version) ?? named[0];
  };
  return (wanted) => byId.get(wanted) ?? findByBuild(wanted);
}

/** Returns the path of a release's page. */
export const releasePath = ({ id }: { readonly id: string }): string =>
  `/releases/${encodeURIComponent(id).replaceAll('%2B', '+')}`;
