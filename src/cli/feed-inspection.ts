/** Asks a product's feed once, as the server would, and changes nothing. */

import { resolve } from 'node:path';
import { systemClock } from '../base/clock.ts';
import { messageOf } from '../base/thrown.ts';
import type { Content } from '../content/content.ts';
import { FeedFault } from '../feed/fault.ts';
import { cacheKey, type FeedStorage } from '../feed/feed-storage.ts';
import { fetchFeed } from '../feed/fetch.ts';
import { createNotesReader } from '../feed/notes.ts';
import type { FeedSnapshot } from '../feed/release.ts';
import { createRules, noHistory, verifyFeed } from '../feed/verify-feed.ts';
import { createWorkers } from '../worker/pool.ts';

export type Inspection =
  /** `rollback`: why a server that has served this feed before refuses it, or null. */
  | { readonly kind: 'good'; readonly snapshot: FeedSnapshot; readonly rollback: string | null }
  /** It came and is not acceptable. */
  | { readonly kind: 'refused'; readonly problem: string }
  /** It could not be fetched. */
  | { readonly kind: 'failed'; readonly problem: string };

const deadlineMs = 15_000;

/** `kept` is where a server keeps what it accepted before; null inspects only the feed. */
export async function inspectFeed(content: Content, kept: Pick<FeedStorage, 'load'> | null): Promise<Inspection> {
  const { source: written, public_keys: publicKeys, signature, accept, base_url: baseUrl } = content.product.feed;
  const source = /^https?:/.test(written) ? written : resolve(content.directory, written);
  const policy = signature ?? (publicKeys.length > 0 ? 'required' : 'off');
  const rules = createRules({ source, publicKeys, policy, ...(accept !== undefined && { accept }) });
  try {
    const { bytes, url } = await fetchFeed(source, {
      validators: null,
      deadlineMs,
      signal: new AbortController().signal,
      now: systemClock.now(),
    });
    if (bytes === null)
      return { kind: 'failed', problem: 'The feed’s server returns 304 to an unconditional request.' };
    const workers = createWorkers({ clock: systemClock });
    const reading = {
      address: url ?? baseUrl ?? null,
      languages: [content.product.language],
      notes: createNotesReader(workers),
      workers,
    };
    const accepted = await verifyFeed(bytes, null, noHistory, rules, reading);
    if (accepted === null) return { kind: 'failed', problem: 'The feed has no content.' };
    const saved = kept === null ? null : await kept.load(cacheKey(source, publicKeys));
    const rollback = await verifyFeed(bytes, null, saved?.metadata ?? noHistory, rules, reading).then(
      () => null,
      (thrown: unknown) => messageOf(thrown),
    );
    return { kind: 'good', snapshot: accepted.snapshot, rollback };
  } catch (thrown) {
    return { kind: thrown instanceof FeedFault ? thrown.kind : 'failed', problem: messageOf(thrown) };
  }
}
