/** Reads sources of releases once, by the rules of a server, without changing anything, and describes releases and signature. */
import { join, resolve } from 'node:path';
import { systemClock } from '../base/clock.ts';
import { messageOf } from '../base/thrown.ts';
import { createReleaseIndex, type ReleaseIndex } from '../catalog/release-index.ts';
import type { Config } from '../config/environment.ts';
import type { Content } from '../content/content.ts';
import { locateSource } from '../content/source-location.ts';
import { combineSnapshots } from '../feed/combined-feed.ts';
import { FeedFault } from '../feed/fault.ts';
import { cacheKey, createFileStorage, parseStored } from '../feed/feed-storage.ts';
import { fetchFeed } from '../feed/fetch.ts';
import { fetchGithub } from '../feed/github-fetch.ts';
import { createNotesReader } from '../feed/notes.ts';
import type { SourceHints } from '../feed/parse-item.ts';
import type { FeedSnapshot, FeedWarning } from '../feed/release.ts';
import { offeredRelease } from '../feed/selection.ts';
import { readSourceSettings, type SourceSettings } from '../feed/source-settings.ts';
import { type FeedHistory, noHistory, type VerificationRules, verifyFeed } from '../feed/verify-feed.ts';
import { createWorkers } from '../worker/pool.ts';
import { counted } from './terminal.ts';

/** What a source contains, or why a server does not accept it. */
export type Inspection =
  | { readonly state: 'good'; readonly snapshot: FeedSnapshot; readonly problem: null }
  /** The source is valid by itself, and a server that has served a later one before rejects it. */
  | { readonly state: 'steps back'; readonly snapshot: FeedSnapshot; readonly problem: string }
  /** The source is not acceptable, or could not be fetched. */
  | { readonly state: 'refused' | 'failed'; readonly snapshot: null; readonly problem: string };

/** A source, and what reading it depends on. */
export interface InspectedSource extends VerificationRules {
  /** The URL where a source from a file is published, or null. Relative URLs in it are resolved against this. */
  readonly baseUrl?: string | null;
  readonly isGithub?: boolean;
  readonly languages?: readonly string[];
  readonly hints?: SourceHints;
}

/** The download URL of the release in the placeholder feed of `colophon init`. */
export const placeholderArchive = 'https://example.com/placeholder.zip';

/** Timeout for fetching a source, in milliseconds. */
const timeoutMs = 15_000;

/** A source of a product with what was found in it. */
export interface ProductInspection {
  readonly settings: SourceSettings;
  readonly inspection: Inspection;
}

/** Inspects the sources of a product, in their order. What a server with these settings has served counts too. */
export const inspectProduct = (content: Content, config: Config): Promise<ProductInspection[]> =>
  Promise.all(
    content.product.sources.map(async (entry) => {
      const settings = readSourceSettings(entry, content);
      return { settings, inspection: await inspectSource(settings, config.githubToken, config) };
    }),
  );

/**
 * Inspects the source that somebody named: a URL, a file, or a GitHub repository such as `acme/larder`.
 *
 * @param directory what the path of a file is relative to
 */
export const inspectNamedSource = (
  name: string,
  directory: string,
  rules: Omit<InspectedSource, 'source' | 'isGithub'>,
  githubToken: string | null,
): Promise<Inspection> => {
  const location = locateSource(name);
  const source = location.kind === 'github' ? location.api : location.kind === 'url' ? name : resolve(directory, name);
  return inspectSource({ ...rules, source, isGithub: location.kind === 'github' }, githubToken);
};

/** Inspects a source. With `config`, what a server with these settings has served counts too. The snapshot names its kind. */
export async function inspectSource(
  settings: InspectedSource,
  githubToken: string | null,
  config: Config | null = null,
): Promise<Inspection> {
  try {
    const { source, publicKeys, hints, languages = [], baseUrl = null } = settings;
    const { signal } = new AbortController();
    const options = { validators: null, deadlineMs: timeoutMs, signal, now: systemClock.now() };
    const fetched = settings.isGithub ? fetchGithub(source, githubToken, options) : fetchFeed(source, options);
    const { bytes, url, address } = await fetched;
    if (bytes === null) throw new FeedFault('failed', 'The feed’s server returns 304 to an unconditional request.');
    const workers = createWorkers({ clock: systemClock });
    const notes = createNotesReader(workers);
    const reading = { ...hints, address: address ?? url ?? baseUrl, languages, notes, workers };
    const verify = async (history: FeedHistory) =>
      (await verifyFeed(bytes, null, history, settings, reading))?.snapshot;
    const snapshot = await verify(noHistory);
    if (snapshot === undefined) throw new FeedFault('refused', 'The feed has no content.');
    const saved = config && (await loadStoredFeed(config, cacheKey(source, publicKeys)));
    const problem = saved ? await verify(saved.metadata).then(() => null, messageOf) : null;
    return problem === null ? { state: 'good', snapshot, problem } : { state: 'steps back', snapshot, problem };
  } catch (error) {
    return { state: error instanceof FeedFault ? error.kind : 'failed', snapshot: null, problem: messageOf(error) };
  }
}

/** Returns the feed that a server with these settings stored, or null if there is none. The server may be running. */
async function loadStoredFeed({ dataDir, databaseUrl }: Config, key: string) {
  if (databaseUrl === null) return createFileStorage(join(dataDir, 'feed')).load(key);
  const { loadPostgresFeed } = await import('../store/postgres/upkeep.ts');
  const stored = await loadPostgresFeed(databaseUrl, key);
  return stored === undefined ? null : parseStored(stored);
}

/** Returns whether a source is a URL, not a file of the content folder. */
export const isRemote = (source: string): boolean => /^https?:/.test(source);

/** Returns the warnings of a source by itself. */
export const sourceWarnings = ({ warnings, releases }: FeedSnapshot): FeedWarning[] => [
  ...warnings,
  ...releases
    .filter(({ downloadUrl }) => downloadUrl === placeholderArchive)
    .map(({ line, version }) => ({
      line,
      message: `Release ${version} is the placeholder of colophon init. Replace it with your own appcast, or set feed.source in product.yaml to its URL.`,
    })),
];

/** Indexes the releases of all sources and of the folder, as a server does. */
export const indexReleases = (content: Content, inspections: readonly ProductInspection[]): ReleaseIndex => {
  const parts = inspections.map(({ settings, inspection }) => ({ name: settings.name, snapshot: inspection.snapshot }));
  return createReleaseIndex(content, combineSnapshots(parts));
};

/** Returns the warning with its line, if it has one. */
export const describeWarning = ({ line, message }: FeedWarning): string =>
  `${line === null ? '' : `line ${line}: `}${message}`;

/** Returns the number of releases and the latest one, such as `2 releases; the latest is 2.0 (build 20, macOS 13.0 or later)`. */
export function describeReleases({ releases }: FeedSnapshot): string {
  const count = counted(releases.length, 'release');
  const latest = offeredRelease(releases);
  if (latest === null) return `${count}, and none for the newest macOS: each has a maximumSystemVersion`;
  const { version, build, minimumOsVersion: minimum, arch } = latest;
  const system = minimum === null ? 'no minimum macOS version' : `macOS ${minimum} or later`;
  return `${count}; the latest is ${version} (build ${build}, ${system}${arch === 'arm64' ? ', Apple silicon' : ''})`;
}

/** Returns the state of the signature in a few words. */
export const describeSignature = ({ kind, verifiedBy, isSigned }: FeedSnapshot): string =>
  kind !== 'appcast'
    ? 'none: only appcasts are signed as a whole'
    : verifiedBy !== null
      ? `good, by ${verifiedBy}`
      : isSigned
        ? 'not checked'
        : 'none: the feed is not signed';

/** Returns why the signature does not protect the feed and what to do, or null if it does. */
export function signatureWarning({ kind, verifiedBy, isSigned }: FeedSnapshot, hasKeys: boolean): string | null {
  // No other source can be signed as a whole.
  if (verifiedBy !== null || kind !== 'appcast') return null;
  if (!isSigned)
    return 'the feed is not signed (feed signatures need Sparkle 2.9): whoever can change it decides what is downloaded. Sign it and add your SUPublicEDKey to `feed.public_keys`; or set `signature: off` to keep it unsigned without this warning.';
  const fix = hasKeys ? 'remove `signature: off` from product.yaml' : 'add your SUPublicEDKey to `feed.public_keys`';
  return `the feed is signed and its signature is not checked: ${fix}.`;
}
