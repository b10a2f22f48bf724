/** Reads a feed once, as a server does, and changes nothing. */
import { resolve } from 'node:path';
import { systemClock } from '../base/clock.ts';
import { messageOf } from '../base/thrown.ts';
import type { Content } from '../content/content.ts';
import { FeedFault } from '../feed/fault.ts';
import { cacheKey, type FeedStorage } from '../feed/feed-storage.ts';
import { fetchFeed } from '../feed/fetch.ts';
import { createNotesReader } from '../feed/notes.ts';
import type { FeedSnapshot } from '../feed/release.ts';
import { createRules, type FeedHistory, noHistory, type VerificationRules, verifyFeed } from '../feed/verify-feed.ts';
import { createWorkers } from '../worker/pool.ts';

/** What a feed contains, or why a server does not accept it. */
export type Inspection =
  /** `rollback` is why a server that has served this feed before refuses it, or null. */
  | { readonly kind: 'good'; readonly snapshot: FeedSnapshot; readonly rollback: string | null }
  /** The feed was fetched and is not acceptable. */
  | { readonly kind: 'refused'; readonly problem: string }
  /** The feed could not be fetched. */
  | { readonly kind: 'failed'; readonly problem: string };

/** The bytes of a feed, and what reading them depends on. */
export interface FeedSource {
  readonly bytes: Buffer;
  /** The URL that relative URLs in the feed are resolved against, or null. */
  readonly address: string | null;
  readonly languages: readonly string[];
}

/** Timeout for fetching a feed, in milliseconds. */
const deadlineMs = 15_000;

/**
 * Inspects the feed of a product.
 *
 * @param storage where a server stores what it accepted before, or null to inspect only the feed
 */
export async function inspectFeed(content: Content, storage: Pick<FeedStorage, 'load'> | null): Promise<Inspection> {
  const { source: location, public_keys: publicKeys, signature, accept, base_url: baseUrl } = content.product.feed;
  const source = /^https?:/.test(location) ? location : resolve(content.directory, location);
  const policy = signature ?? (publicKeys.length > 0 ? 'required' : 'off');
  const rules = createRules({ source, publicKeys, policy, ...(accept !== undefined && { accept }) });
  try {
    const { bytes, url } = await fetchOnce(source);
    const feed = { bytes, address: url ?? baseUrl ?? null, languages: [content.product.language] };
    const snapshot = await readOnce(feed, rules);
    const saved = await storage?.load(cacheKey(source, publicKeys));
    const rollback = await readOnce(feed, rules, saved?.metadata).then(
      () => null,
      (error: unknown) => messageOf(error),
    );
    return { kind: 'good', snapshot, rollback };
  } catch (error) {
    return { kind: error instanceof FeedFault ? error.kind : 'failed', problem: messageOf(error) };
  }
}

/** Fetches a feed from its URL or its absolute path. Throws FeedFault. */
export async function fetchOnce(source: string): Promise<{ bytes: Buffer; url: string | null }> {
  const { signal } = new AbortController();
  const { bytes, url } = await fetchFeed(source, { validators: null, deadlineMs, signal, now: systemClock.now() });
  if (bytes !== null) return { bytes, url };
  throw new FeedFault('failed', 'The feed’s server returns 304 to an unconditional request.');
}

/** Verifies and parses a feed. Throws FeedFault. */
export async function readOnce(
  { bytes, address, languages }: FeedSource,
  rules: VerificationRules,
  history: FeedHistory = noHistory,
): Promise<FeedSnapshot> {
  const workers = createWorkers({ clock: systemClock });
  const reading = { address, languages, notes: createNotesReader(workers), workers };
  const accepted = await verifyFeed(bytes, null, history, rules, reading);
  if (accepted === null) throw new FeedFault('refused', 'The feed has no content.');
  return accepted.snapshot;
}
