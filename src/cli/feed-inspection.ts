/** Reads sources of releases once, by the rules of a server, without changing anything, and describes their systems and signature. */
import { join } from 'node:path';
import { systemClock } from '../base/clock.ts';
import { listInWords } from '../base/list-in-words.ts';
import { anyVersion, type SystemName, systemNames } from '../base/systems.ts';
import { getMessage } from '../base/thrown.ts';
import { createReleaseIndex, type ReleaseIndex } from '../catalog/release-index.ts';
import type { Release } from '../catalog/releases.ts';
import type { SystemRequirements } from '../catalog/requirements.ts';
import type { Config } from '../config/environment.ts';
import type { Content } from '../content/content.ts';
import { writeSystemRange } from '../content/facts.ts';
import type { ProductSystem } from '../content/product-schema.ts';
import { englishWords } from '../content/words.ts';
import { combineSnapshots } from '../feed/combined-feed.ts';
import { FeedFault } from '../feed/fault.ts';
import { createCacheKey, createFileStorage, parseStored, type StoredFeed } from '../feed/feed-storage.ts';
import { fetchFeed } from '../feed/fetch.ts';
import { fetchGithub } from '../feed/github-fetch.ts';
import { createNotesReader } from '../feed/notes.ts';
import type { FeedSnapshot, FeedWarning } from '../feed/release.ts';
import { readSourceSettings, type SourceSettings } from '../feed/source-settings.ts';
import { type FeedHistory, noHistory, verifyFeed } from '../feed/verify-feed.ts';
import { createWorkers } from '../worker/pool.ts';
import { formatCount } from './terminal.ts';

/** The result of reading a source once. */
export interface Inspection {
  readonly settings: SourceSettings;
  /**
   * `steps back` is valid by itself, and a server rejects it because of the feed that it has stored; `refused` is invalid; `failed`
   * could not be fetched, or not be compared with the stored feed.
   */
  readonly state: 'good' | 'steps back' | 'refused' | 'failed';
  /** The content, or null if `state` is `refused` or `failed`. */
  readonly snapshot: FeedSnapshot | null;
  /** Why a server does not accept it, as a sentence, or null if it does. */
  readonly problem: string | null;
}

/** Timeout for fetching a source, in milliseconds. */
const timeoutMs = 15_000;

/**
 * Fetches a source once and verifies it as a server does; never rejects, because a failure is a `state` and a `problem` of the
 * result. If `config` is not null, the source is also compared with the feed that a server with these settings has stored, so that
 * its state may be `steps back`. `githubToken` is only for sources on GitHub; null means that requests have none.
 */
export async function inspectSource(
  settings: SourceSettings,
  githubToken: string | null,
  config: Config | null = null,
): Promise<Inspection> {
  try {
    const { source, publicKeys, hints, languages, baseUrl = null } = settings;
    const { signal } = new AbortController();
    const options = { validators: null, deadlineMs: timeoutMs, signal, now: systemClock.now() };
    const download = settings.isGithub ? fetchGithub(source, githubToken, options) : fetchFeed(source, options);
    const { bytes, url, address } = await download;
    if (bytes === null) throw new FeedFault('failed', 'The feed’s server returns 304 to an unconditional request.');
    const workers = createWorkers({ clock: systemClock });
    const reading = {
      ...hints,
      address: address ?? url ?? baseUrl,
      languages,
      notes: createNotesReader(workers),
      workers,
    };
    const verify = async (history: FeedHistory) =>
      (await verifyFeed(bytes, null, history, settings, reading))?.snapshot ?? null;
    const snapshot = await verify(noHistory);
    const savedFeed = config && (await loadStoredFeed(config, createCacheKey(source, publicKeys)));
    const problem = savedFeed ? await verify(savedFeed.metadata).then(() => null, getMessage) : null;
    return { settings, state: problem === null ? 'good' : 'steps back', snapshot, problem };
  } catch (error) {
    const state = error instanceof FeedFault ? error.kind : 'failed';
    return { settings, state, snapshot: null, problem: getMessage(error) };
  }
}

/**
 * Inspects the sources of a product at the same time, each as `inspectSource` does with `config`; the results are in the order of
 * the sources.
 */
export const inspectProduct = (content: Content, config: Config): Promise<Inspection[]> =>
  Promise.all(
    content.product.sources.map((entry) =>
      inspectSource(readSourceSettings(entry, content), config.githubToken, config),
    ),
  );

/**
 * Returns the feed that a server with these settings stored under a key of `createCacheKey`, or null if there is none. The server
 * may be running. Rejects if the copy cannot be read.
 */
async function loadStoredFeed({ dataDir, databaseUrl }: Config, key: string): Promise<StoredFeed | null> {
  if (databaseUrl === null) return createFileStorage(join(dataDir, 'feed')).load(key);
  const { loadPostgresFeed } = await import('../store/postgres/upkeep.ts');
  const storedFeed = await loadPostgresFeed(databaseUrl, key);
  return storedFeed === undefined ? null : parseStored(storedFeed);
}

/**
 * Indexes the releases of the folder and of all sources that were read, as a server does. The index has no warning about a source
 * that was not read; if none was, it is that of a feed that was never read.
 */
export const indexReleases = (content: Content, inspections: readonly Inspection[]): ReleaseIndex =>
  createReleaseIndex(
    content,
    combineSnapshots(inspections.map(({ settings: { name }, snapshot }) => ({ name, snapshot }))),
  );

/** Returns the warning's message, with a prefix such as `line 12: ` if it has a line. */
export const describeWarning = ({ line, message }: FeedWarning): string =>
  `${line === null ? '' : `line ${line}: `}${message}`;

/** The releases of a source for one system. A fact that product.yaml has to add is null or an empty list. */
export interface FoundSystem extends Pick<SystemRequirements, 'os' | 'archs'> {
  /** Number of releases with a file for the system. */
  readonly count: number;
  /** The release that the newest computers are offered. */
  readonly latest: Release;
  /** The oldest version of the system that runs the latest release, or null if the source does not say it. */
  readonly minimum: string | null;
}

/**
 * Lists the systems that a source has files for, in the order of `systemNames`, with what the current release needs on each by the
 * rules of a server. A system without a current release is left out.
 */
export function findSystems(snapshot: FeedSnapshot): FoundSystem[] {
  // A file in an appcast that states no requirement runs on every Mac.
  const describe = (os: SystemName): ProductSystem => {
    const isForAll = snapshot.kind === 'appcast' && os === 'macOS';
    return { os, minVersion: null, archs: isForAll ? ['arm64', 'x86_64'] : [], testedUpTo: null };
  };
  const [main, ...others] = systemNames.filter((name) => snapshot.releases.some(({ os }) => os === name)).map(describe);
  if (main === undefined) return [];
  const product = { name: '', systems: [main, ...others] as const, sources: [] };
  const index = createReleaseIndex({ product, releases: [], releaseNotes: new Map() }, snapshot);
  return index.systems.flatMap(({ os, osVersion, archs, current: latest }) => {
    const count = (index.releases ?? []).filter(({ builds }) => builds.some((build) => build.os === os)).length;
    const minimum = osVersion === anyVersion ? null : osVersion;
    return latest === null ? [] : [{ os, count, latest, minimum, archs }];
  });
}

/** Returns a line for each system, such as `macOS: 2 releases; the latest is 2.0 (build 20, macOS 13.0 or later, arm64)`. */
export const describeSystems = (snapshot: FeedSnapshot): string[] =>
  findSystems(snapshot).map(({ os, count, latest: { version, build, channel }, minimum, archs }) => {
    const range = minimum && writeSystemRange({ os, osVersion: minimum, maximumOsVersion: null }, englishWords);
    const facts = [
      ...(channel === null ? [] : [`channel ${channel}`]),
      ...(build === version ? [] : [`build ${build}`]),
      ...(os === 'Linux' ? [] : [range ?? 'minimum unknown']),
      archs.length === 0 ? 'processor unknown' : listInWords(archs),
    ];
    return `${os}: ${formatCount(count, 'release')}; the latest is ${version} (${facts.join(', ')})`;
  });

/** Returns the state of the signature in a few words, such as `good, by KEY` or `not checked`. */
export const describeSignature = ({ kind, verifiedBy, isSigned }: FeedSnapshot): string =>
  kind !== 'appcast'
    ? 'none: only appcasts are signed as a whole'
    : verifiedBy !== null
      ? `good, by ${verifiedBy}`
      : isSigned
        ? 'not checked'
        : 'none: the feed is not signed';

/**
 * Returns why the signature does not protect an appcast and what to do, or null if it does or the source is of another kind.
 * `hasKeys` says whether product.yaml has keys for the source.
 */
export function findSignatureWarning({ kind, verifiedBy, isSigned }: FeedSnapshot, hasKeys: boolean): string | null {
  // Only appcasts can be signed as a whole, so other sources get no warning.
  if (verifiedBy !== null || kind !== 'appcast') return null;
  if (!isSigned)
    return 'the feed is not signed (feed signatures need Sparkle 2.9): whoever can change it decides what is downloaded. Sign it and add your SUPublicEDKey to `feed.public_keys`; or set `signature: off` to keep it unsigned without this warning.';
  const fix = hasKeys ? 'remove `signature: off` from product.yaml' : 'add your SUPublicEDKey to `feed.public_keys`';
  return `the feed is signed and its signature is not checked: ${fix}.`;
}
