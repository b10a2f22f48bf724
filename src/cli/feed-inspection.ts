/** Reads a feed once, by the rules of a server, without changing anything, and describes its releases and signature. */
import { join, resolve } from 'node:path';
import { systemClock } from '../base/clock.ts';
import { messageOf } from '../base/thrown.ts';
import { createReleaseIndex } from '../catalog/release-index.ts';
import type { Config } from '../config/environment.ts';
import type { Content } from '../content/content.ts';
import { FeedFault } from '../feed/fault.ts';
import { cacheKey, createFileStorage, parseStored } from '../feed/feed-storage.ts';
import { fetchFeed } from '../feed/fetch.ts';
import { createNotesReader } from '../feed/notes.ts';
import type { FeedSnapshot, FeedWarning } from '../feed/release.ts';
import { offeredRelease } from '../feed/selection.ts';
import { type FeedHistory, noHistory, type VerificationRules, verifyFeed } from '../feed/verify-feed.ts';
import { createWorkers } from '../worker/pool.ts';
import { counted } from './terminal.ts';

/** What a feed contains, or why a server does not accept it. */
export type Inspection =
  | { readonly state: 'good'; readonly snapshot: FeedSnapshot; readonly problem: null }
  /** The feed is valid by itself, and a server that has served a later one before rejects it. */
  | { readonly state: 'steps back'; readonly snapshot: FeedSnapshot; readonly problem: string }
  /** The feed is not acceptable, or could not be fetched. */
  | { readonly state: 'refused' | 'failed'; readonly snapshot: null; readonly problem: string };

/** A feed, and what reading it depends on. */
export interface FeedSource extends VerificationRules {
  /** The URL where a feed from a file is published, or null. Relative URLs in it are resolved against this. */
  readonly baseUrl: string | null;
  readonly languages: readonly string[];
}

/** The download URL of the release in the placeholder feed of `colophon init`. */
export const placeholderArchive = 'https://example.com/placeholder.zip';

/** Timeout for fetching a feed, in milliseconds. */
const timeoutMs = 15_000;

/** Inspects the feed of a product. With `config`, the feed that a server with these settings has served counts too. */
export function inspectProductFeed(content: Content, config: Config | null = null): Promise<Inspection> {
  const { source, public_keys: publicKeys, signature, accept, base_url: baseUrl = null } = content.product.feed;
  const feed = {
    source: isRemote(source) ? source : resolve(content.directory, source),
    publicKeys,
    policy: signature ?? (publicKeys.length > 0 ? 'required' : 'off'),
    ...(accept !== undefined && { accept }),
    baseUrl,
    languages: [content.product.language],
  } as const;
  return inspectFeed(feed, config);
}

/** Inspects a feed. With `config`, the feed that a server with these settings has served counts too. */
export async function inspectFeed(feed: FeedSource, config: Config | null = null): Promise<Inspection> {
  try {
    const { signal } = new AbortController();
    const options = { validators: null, deadlineMs: timeoutMs, signal, now: systemClock.now() };
    const { bytes, url } = await fetchFeed(feed.source, options);
    if (bytes === null) throw new FeedFault('failed', 'The feed’s server returns 304 to an unconditional request.');
    const workers = createWorkers({ clock: systemClock });
    const { languages } = feed;
    const reading = { address: url ?? feed.baseUrl, languages, notes: createNotesReader(workers), workers };
    const verify = async (history: FeedHistory) => (await verifyFeed(bytes, null, history, feed, reading))?.snapshot;
    const snapshot = await verify(noHistory);
    if (snapshot === undefined) throw new FeedFault('refused', 'The feed has no content.');
    const saved = config && (await loadStoredFeed(config, cacheKey(feed.source, feed.publicKeys)));
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

/** Returns whether a feed's source is a URL, not a file of the content folder. */
export const isRemote = (source: string): boolean => /^https?:/.test(source);

/** Returns every warning that a server logs about the feed and its releases. */
export const feedWarnings = (content: Content, snapshot: FeedSnapshot): FeedWarning[] => [
  ...snapshot.warnings,
  ...createReleaseIndex(content, snapshot).warnings,
  ...snapshot.releases
    .filter(({ downloadUrl }) => downloadUrl === placeholderArchive)
    .map(({ line, version }) => ({
      line,
      message: `Release ${version} is the placeholder of colophon init. Replace it with your own appcast, or set feed.source in product.yaml to its URL.`,
    })),
];

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
export const describeSignature = ({ verifiedBy, isSigned }: FeedSnapshot): string =>
  verifiedBy !== null ? `good, by ${verifiedBy}` : isSigned ? 'not checked' : 'none: the feed is not signed';

/** Returns why the signature does not protect the feed and what to do, or null if it does. */
export function signatureWarning({ verifiedBy, isSigned }: FeedSnapshot, hasKeys: boolean): string | null {
  if (verifiedBy !== null) return null;
  if (!isSigned)
    return 'the feed is not signed (feed signatures need Sparkle 2.9): whoever can change it decides what is downloaded. Sign it and add your SUPublicEDKey to `feed.public_keys`; or set `signature: optional` to serve it unsigned.';
  const fix = hasKeys ? 'remove `signature: off` from product.yaml' : 'add your SUPublicEDKey to `feed.public_keys`';
  return `the feed is signed and its signature is not checked: ${fix}.`;
}
