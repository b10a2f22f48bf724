/** The feed of a product: its sources, each with its own checks and its own last good copy, as one. */
import { sha256Hex } from '../base/hash.ts';
import { normalizeVersion } from '../base/semver.ts';
import type { CheckResult, Feed } from './feed.ts';
import type { FeedRelease, FeedSnapshot, FeedStatus } from './release.ts';

/** A source that is being served. */
export interface SourceFeed {
  /** The name of the source in messages. */
  readonly name: string;
  /** Whether it is a file of the content folder. */
  readonly isFile: boolean;
  readonly feed: Feed;
}

/** The feed of a product, which combines those of its sources. */
export interface ProductFeed extends Feed {
  /**
   * Checks only the sources that are files of the content folder, at once, and never rejects. The result is the first of `updated`,
   * `refused`, `failed` and `unchanged` that one of them has; without such files it is `unchanged`.
   */
  checkFiles(): Promise<CheckResult>;
}

/**
 * Creates the one feed of a product from its sources, which are in the order of product.yaml. The order in which they answer does
 * not matter, and a source that fails keeps its last good part. The feed is `fresh` only if every source is, so also without
 * sources.
 *
 * @param hasReleases whether the content folder has releases of its own: then the feed is never `unavailable`, even while
 * `snapshot` returns null
 */
export function combineFeeds(sources: readonly SourceFeed[], hasReleases: boolean): ProductFeed {
  let parts: readonly (FeedSnapshot | null)[] = [];
  let combinedSnapshot: FeedSnapshot | null = null;
  const only = sources.length === 1 && !hasReleases ? (sources[0]?.feed ?? null) : null;
  return {
    snapshot() {
      const current = sources.map(({ feed }) => feed.snapshot());
      if (current.length !== parts.length || current.some((part, index) => part !== parts[index]))
        combinedSnapshot = combineSnapshots(
          sources.map(({ name }, index) => ({ name, snapshot: current[index] ?? null })),
        );
      parts = current;
      return combinedSnapshot;
    },
    onChange(listener) {
      for (const { feed } of sources) feed.onChange(listener);
    },
    // Every prepared response reads the status, so the status of a single source is returned without combining.
    status: () => (only === null ? combineStatuses(sources, hasReleases) : only.status()),
    async start() {
      await Promise.all(sources.map(({ feed }) => feed.start()));
    },
    check: () => checkAll(sources),
    checkFiles: () => checkAll(sources.filter(({ isFile }) => isFile)),
    stop() {
      for (const { feed } of sources) feed.stop();
    },
  };
}

/** The results of a check; of several sources, the first one in this order is that of all. */
const checkResults: readonly CheckResult[] = ['updated', 'refused', 'failed', 'unchanged'];

async function checkAll(sources: readonly SourceFeed[]): Promise<CheckResult> {
  const results = await Promise.all(sources.map(({ feed }) => feed.check()));
  return checkResults.find((result) => results.includes(result)) ?? 'unchanged';
}

/** A source with its last good copy. */
export interface SourcePart {
  /** The name of the source in messages. */
  readonly name: string;
  /** The last good copy, or null if the source was never read. */
  readonly snapshot: FeedSnapshot | null;
}

/**
 * Returns a snapshot with a revision of its own and the releases, links to notes and warnings of all sources, and with the file and
 * the other facts of the first appcast or else of the first source that was read. A warning begins with the name of its source, and
 * there is one for each source that was never read. Returns null if none was ever read, and the copy itself, unchanged, if `parts`
 * has one entry.
 */
export function combineSnapshots(parts: readonly SourcePart[]): FeedSnapshot | null {
  const loadedParts = parts.flatMap(({ name, snapshot }) => (snapshot === null ? [] : [{ name, snapshot }]));
  const main = (loadedParts.find(({ snapshot }) => snapshot.kind === 'appcast') ?? loadedParts[0])?.snapshot;
  if (main === undefined || parts.length === 1) return main ?? null;
  const warnings = parts.flatMap(({ name, snapshot }) =>
    snapshot === null
      ? [{ line: null, message: `${name} has not been read yet: its releases are missing.` }]
      : snapshot.warnings.map(({ line, message }) => ({
          line: null,
          message: `${name}${line === null ? '' : `, line ${line}`}: ${message}`,
        })),
  );
  return {
    ...main,
    revision: sha256Hex(JSON.stringify(parts.map(({ snapshot }) => snapshot?.revision ?? null))),
    releases: joinReleases(loadedParts.map(({ snapshot }) => snapshot.releases)),
    notesLinks: loadedParts.flatMap(({ snapshot }) => snapshot.notesLinks),
    warnings,
  };
}

/**
 * Returns the files of several sources in one list, in the order of the sources, with `feedIndex` counted over all and `line` null.
 * A file that two feeds of one kind list, such as that of the stable releases and that of a beta channel, is one file; it is on the
 * default channel if one of them has it there.
 */
function joinReleases(sources: readonly (readonly FeedRelease[])[]): FeedRelease[] {
  const joinedReleases: FeedRelease[] = [];
  const places = new Map<string, number>();
  for (const releases of sources) {
    const earlierPlaces = new Map(places);
    for (const release of releases) {
      const key = `${release.source} ${normalizeVersion(release.version)} ${release.downloadUrl}`;
      const place = earlierPlaces.get(key);
      const earlier = place === undefined ? undefined : joinedReleases[place];
      if (place === undefined || earlier === undefined) {
        places.set(key, joinedReleases.length);
        joinedReleases.push(release);
      } else if (release.channel === null) joinedReleases[place] = { ...earlier, channel: null };
    }
  }
  return joinedReleases.map((release, feedIndex) => ({ ...release, feedIndex, line: null }));
}

function combineStatuses(sources: readonly SourceFeed[], hasReleases: boolean): FeedStatus {
  const statuses = sources.map(({ name, feed }) => ({ name, ...feed.status() }));
  const problems = statuses.flatMap(({ name, problem }) =>
    problem === null ? [] : [sources.length === 1 ? problem : `${name}: ${problem}`],
  );
  const isReadable = hasReleases || statuses.some(({ state }) => state !== 'unavailable');
  const checks = statuses.map(({ checkedAt }) => checkedAt);
  return {
    state: statuses.every(({ state }) => state === 'fresh') ? 'fresh' : isReadable ? 'stale' : 'unavailable',
    problem: problems.length === 0 ? null : problems.join(' '),
    checkedAt: checks.includes(null) || checks.length === 0 ? null : Math.min(...checks.map(Number)),
    retryAfterSeconds: Math.min(300, ...statuses.map(({ retryAfterSeconds }) => retryAfterSeconds)),
  };
}
