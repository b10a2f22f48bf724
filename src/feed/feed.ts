/** The product's update feed: checked in the background, with the last good copy served meanwhile. */
import { createFeedCache, type FeedCache, type FeedCacheOptions } from './feed-cache.ts';
import { type CheckResult, createPoller, describeStatus, type PollerOptions, unchecked } from './poller.ts';
import type { FeedStatus } from './release.ts';

export type FeedOptions = FeedCacheOptions & PollerOptions;

export interface Feed extends Pick<FeedCache, 'snapshot' | 'onChange'> {
  status(): FeedStatus;
  /** Loads the stored copy, verifies it again, makes the first check (10 s at most), then polls. Never throws on a bad feed. */
  start(): Promise<void>;
  /** Checks now, or waits for the check that is under way. */
  check(): Promise<CheckResult>;
  stop(): void;
}

/** Creates the feed of one process. Nothing is read or connected before start() or check(). */
export function createFeed(options: FeedOptions): Feed {
  const stopping = new AbortController();
  const cache = createFeedCache(options, stopping.signal);
  let last = unchecked;
  const poller = createPoller(options, cache, stopping.signal, (check) => {
    last = check;
  });
  return {
    snapshot: cache.snapshot,
    onChange: cache.onChange,
    status: () => describeStatus(cache.snapshot(), last, options.clock.now()),
    start: poller.start,
    check: poller.check,
    stop() {
      stopping.abort();
      poller.pause();
    },
  };
}
