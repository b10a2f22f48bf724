/** The product's update feed: checked at intervals in the background, while the last good copy of it is served. */
import { ignoreTask, measureTask, type TaskMeter } from '../base/task-tally.ts';
import { getMessage } from '../base/thrown.ts';
import type { SharedCheck } from '../store/postgres/feeds.ts';
import { hasOrigin } from './address.ts';
import { FeedFault } from './fault.ts';
import { createFeedCache, type FeedCache, type FeedCacheOptions } from './feed-cache.ts';
import { fetchFeed } from './fetch.ts';
import { fetchGithub } from './github-fetch.ts';
import type { FeedSnapshot, FeedStatus } from './release.ts';

/** The source to check, how often, and what it is cached with. */
export interface FeedOptions extends FeedCacheOptions {
  /** Seconds between checks, before jitter; a longer `max-age` of the source's server lengthens it. */
  readonly intervalSeconds: number;
  /** Whether `source` is the URL of a repository's releases in GitHub's API. @defaultValue false */
  readonly isGithub?: boolean;
  /** The token for GitHub's API; null or left out for requests without one. */
  readonly githubToken?: string | null;
  /** The origin of this server, which it must not read its feed from; any source is allowed if it is left out. */
  readonly ownOrigin?: string;
  /** Counts and measures the checks. @defaultValue counts nothing */
  readonly meter?: TaskMeter;
  /** Returns a number from 0 up to 1, for jitter. @defaultValue Math.random */
  readonly random?: () => number;
  /** Receives the outcome of each check when it ends, also of one that failed. */
  readonly onCheck?: (check: SharedCheck) => void;
}

/**
 * The result of a check. `updated`: a new copy is served; `unchanged`: the copy is current; `failed`: the feed could not be
 * fetched; `refused`: it was fetched and is not acceptable.
 */
export type CheckResult = 'updated' | 'unchanged' | 'failed' | 'refused';

/** A feed that is being served. */
export interface Feed extends Pick<FeedCache, 'snapshot' | 'onChange'> {
  /** Returns the state of what is served now, by the outcome of the last check. */
  status(): FeedStatus;
  /**
   * Loads the stored copy, verifies it again, makes the first check, then polls. Resolves when that check is done, after some 10
   * seconds at most, and never rejects because of a bad feed.
   */
  start(): Promise<void>;
  /**
   * Checks now, or waits for the check that is under way. Never rejects: a failure is logged and is the result `failed` or
   * `refused`. After `stop()`, nothing new is served.
   */
  check(): Promise<CheckResult>;
  /** Ends polling and a check under way for good; the copy stays available. */
  stop(): void;
}

/** A feed that this process fetches itself. */
export interface PolledFeed extends Feed, Pick<FeedCache, 'reload'> {
  /** Stops polling until start(); a check under way continues. */
  pause(): void;
}

/** The outcome before the first check. */
export const neverChecked: SharedCheck = { checkedAt: null, freshUntil: null, nextCheckAt: null, problem: null };

/** Time for the first check and for each later one, in milliseconds. */
const firstDeadlineMs = 10_000;
const deadlineMs = 15_000;

/**
 * The problem of a source under the server's own address, where the server would find its own copy and consider it fresh for ever.
 */
const ownFeed = 'feed.source is under BASE_URL: the server would read itself. Use the URL where the feed is published.';

/** Creates the feed of one process. Nothing is read or connected before start() or check(). */
export function createFeed(options: FeedOptions): PolledFeed {
  const { source, intervalSeconds, clock, log, meter = ignoreTask, ownOrigin = '', random = Math.random } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  const cache = createFeedCache(options, signal);
  let last = neverChecked;
  let failures = 0;
  let delaySeconds = 0;
  let checking: Promise<CheckResult> | null = null;
  let isPolling = false;
  let cancelNext = (): void => {};

  async function attempt(deadline: number): Promise<CheckResult> {
    await cache.load();
    last = { ...last, checkedAt: last.checkedAt ?? cache.savedAt() };
    try {
      if (hasOrigin(source, ownOrigin)) throw new FeedFault('failed', ownFeed);
      const validators = cache.validators();
      const exchange = { validators, deadlineMs: deadline, signal, now: clock.now() };
      const download = options.isGithub
        ? await fetchGithub(source, options.githubToken ?? null, exchange)
        : await fetchFeed(source, exchange);
      const result = download.bytes === null ? 'unchanged' : await cache.examine(download.bytes, download);
      if (last.problem !== null) log.info({}, 'the feed is available again');
      const interval = extendInterval(intervalSeconds, download.maxAgeSeconds);
      failures = 0;
      delaySeconds = addJitter(interval, random);
      const now = clock.now();
      await cache.touch(now);
      last = { ...last, checkedAt: now, freshUntil: now + freshIntervals * interval * 1000, problem: null };
      return result;
    } catch (error) {
      const { kind, message, retryAfterSeconds } = toFault(error);
      if (message !== last.problem && !signal.aborted) log.warn({ feed: kind }, message);
      last = { ...last, problem: message };
      if (kind === 'failed') delaySeconds = computeBackoff(failures++, retryAfterSeconds, random);
      // The server of a refused feed works, so the next check is after the usual interval, without backoff.
      else delaySeconds = addJitter(intervalSeconds, random);
      return kind;
    }
  }

  const check = (deadline: number): Promise<CheckResult> => {
    checking ??= measureTask(meter, () => attempt(deadline), hasSucceeded).finally(() => {
      checking = null;
      void cache.fetchNotes();
      // The delay is rounded, because the database stores the time of the next check in whole milliseconds.
      const delayMs = Math.round(delaySeconds * 1000);
      if (isPolling) {
        cancelNext();
        cancelNext = clock.after(delayMs, () => void check(deadlineMs));
      }
      last = { ...last, nextCheckAt: isPolling ? clock.now() + delayMs : null };
      options.onCheck?.(last);
    });
    return checking;
  };

  function pause(): void {
    isPolling = false;
    cancelNext();
  }

  return {
    snapshot: cache.snapshot,
    onChange: cache.onChange,
    reload: cache.reload,
    status: () => describeStatus(cache.snapshot(), last, clock.now()),
    async start() {
      isPolling = true;
      let cancel = (): void => {};
      const deadline = new Promise<void>((resolve) => {
        cancel = clock.after(firstDeadlineMs, resolve);
      });
      // The stored copy, a DNS lookup or the notes may exceed the deadline; the check then continues in the background.
      await Promise.race([check(firstDeadlineMs), deadline]);
      cancel();
    },
    check: () => check(deadlineMs),
    pause,
    stop() {
      stopping.abort();
      pause();
    },
  };
}

/**
 * Returns the state of `snapshot`, which is served: `unavailable` if it is null, otherwise `fresh` until the moment that the last
 * check states, then `stale`; with the problem and the time of `last`, and the seconds until the next check, from 5 to 300. `now`
 * is in milliseconds since 1970.
 */
export function describeStatus(snapshot: FeedSnapshot | null, last: SharedCheck, now: number): FeedStatus {
  const isFresh = now <= (last.freshUntil ?? 0);
  const seconds = Math.ceil(((last.nextCheckAt ?? 0) - now) / 1000);
  return {
    state: snapshot === null ? 'unavailable' : isFresh ? 'fresh' : 'stale',
    problem: last.problem,
    checkedAt: last.checkedAt,
    retryAfterSeconds: Math.min(300, Math.max(5, seconds)),
  };
}

const hasSucceeded = (result: CheckResult): boolean => result === 'updated' || result === 'unchanged';

const toFault = (error: unknown): FeedFault =>
  error instanceof FeedFault
    ? error
    : new FeedFault('failed', `The check failed: ${getMessage(error)}.`, { cause: error });

/** Number of intervals that a copy counts as fresh for after a check. */
const freshIntervals = 3;
/** Share of an interval by which checks are spread, so that servers do not check at the same time. */
export const jitter = 0.2;
const firstBackoffSeconds = 15;
const maxBackoffSeconds = 900;
const minDelaySeconds = 5;
/** The longest delay that the feed's server can request. */
const maxRequestedSeconds = 3600;

/** Returns the interval in seconds, which `max-age` of the feed's server may lengthen to at most `maxRequestedSeconds`. */
const extendInterval = (seconds: number, maxAgeSeconds: number | null): number =>
  Math.max(seconds, Math.min(maxAgeSeconds ?? 0, maxRequestedSeconds));

const addJitter = (seconds: number, random: () => number): number => seconds * (1 - jitter + 2 * jitter * random());

/**
 * Returns the seconds until the next check after a failure, at least `minDelaySeconds`: exponential backoff with full jitter, or
 * what Retry-After requests, up to `maxRequestedSeconds`, if that is longer. `failures` is the number of failures in a row before
 * this one.
 */
function computeBackoff(failures: number, retryAfterSeconds: number | null, random: () => number): number {
  const ceiling = Math.min(maxBackoffSeconds, firstBackoffSeconds * 2 ** Math.min(failures, 10));
  return Math.max(minDelaySeconds, ceiling * random(), Math.min(retryAfterSeconds ?? 0, maxRequestedSeconds));
}
