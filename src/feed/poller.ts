/** Checks a feed at intervals: fetches it, hands it to the cache, and schedules the next check. */
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import { counting, type TaskMeter, uncounted } from '../base/task-tally.ts';
import { messageOf } from '../base/thrown.ts';
import type { SharedCheck } from '../store/postgres/feeds.ts';
import { isUnder } from './address.ts';
import { FeedFault } from './fault.ts';
import type { FeedCache } from './feed-cache.ts';
import { fetchFeed } from './fetch.ts';
import type { FeedSnapshot, FeedStatus } from './release.ts';

export interface PollerOptions {
  readonly source: string;
  readonly intervalSeconds: number;
  /** The origin of this server, which it must not read its feed from. */
  readonly ownOrigin?: string;
  /** Counts the checks. */
  readonly meter?: TaskMeter;
  /** Returns a number from 0 up to 1, for jitter. */
  readonly random?: () => number;
  readonly clock: Clock;
  readonly log: Log;
}

/** `failed`: it could not be fetched. `refused`: it was fetched and is not acceptable. */
export type CheckResult = 'updated' | 'unchanged' | 'failed' | 'refused';

/** The outcome before the first check. */
export const unchecked: SharedCheck = { checkedAt: null, freshUntil: null, nextCheckAt: null, problem: null };

const firstDeadlineMs = 10_000;
const deadlineMs = 15_000;
const jitter = 0.2;
const firstBackoffSeconds = 15;
const maxBackoffSeconds = 900;
const minDelaySeconds = 5;
/** The longest delay that the feed's server can ask for. */
const maxRequestedSeconds = 3600;

/** The server would find its own copy under its own address, and call that fresh for ever. */
const ownFeed = 'feed.source is under BASE_URL: the server would read itself. Use the URL where the feed is published.';

/** `report` gets the outcome of each check; `signal` is aborted when the server stops. */
export function createPoller(
  options: PollerOptions,
  cache: FeedCache,
  signal: AbortSignal,
  report: (check: SharedCheck) => void,
) {
  const { source, clock, log, meter = uncounted, ownOrigin = '' } = options;
  const schedule = createSchedule(options.intervalSeconds, options.random ?? Math.random);
  let last = unchecked;
  let checking: Promise<CheckResult> | null = null;
  let isPolling = false;
  let cancelNext = (): void => {};

  async function attempt(deadline: number): Promise<CheckResult> {
    await cache.load();
    try {
      if (isUnder(source, ownOrigin)) throw new FeedFault('failed', ownFeed);
      const validators = cache.validators();
      const fetched = await fetchFeed(source, { validators, deadlineMs: deadline, signal, now: clock.now() });
      const result = fetched.bytes === null ? 'unchanged' : await cache.examine(fetched.bytes, fetched);
      if (last.problem !== null) log.info({}, 'the feed is available again');
      const now = clock.now();
      last = { ...last, checkedAt: now, freshUntil: now + schedule.succeed(fetched.maxAgeSeconds), problem: null };
      return result;
    } catch (error) {
      const { kind, message, retryAfterSeconds } = toFault(error);
      if (message !== last.problem && !signal.aborted) log.warn({ feed: kind }, message);
      last = { ...last, problem: message };
      if (kind === 'failed') schedule.fail(retryAfterSeconds);
      else schedule.refuse();
      return kind;
    }
  }

  const check = (deadline: number): Promise<CheckResult> => {
    checking ??= counting(meter, () => attempt(deadline), succeeded).finally(() => {
      checking = null;
      void cache.fetchNotes();
      const delayMs = schedule.delayMs();
      if (isPolling) {
        cancelNext();
        cancelNext = clock.after(delayMs, () => void check(deadlineMs));
      }
      // Moments are whole milliseconds, as the database stores them; the delay has fractions.
      last = { ...last, nextCheckAt: isPolling ? clock.now() + Math.round(delayMs) : null };
      report(last);
    });
    return checking;
  };

  return {
    /** Makes the first check (10 s at most), then polls. Never throws on a bad feed. */
    async start(): Promise<void> {
      isPolling = true;
      let cancel = (): void => {};
      const deadline = new Promise<void>((resolve) => {
        cancel = clock.after(firstDeadlineMs, resolve);
      });
      // If the stored copy, a DNS lookup or the notes take longer, the check continues in the background.
      await Promise.race([check(firstDeadlineMs), deadline]);
      cancel();
    },
    /** Checks now, or waits for the check that is under way. */
    check: (): Promise<CheckResult> => check(deadlineMs),
    /** Stops polling until start(). */
    pause(): void {
      isPolling = false;
      cancelNext();
    },
  };
}

/** Describes what is served, by the outcome of the last check. */
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

const succeeded = (result: CheckResult): boolean => result === 'updated' || result === 'unchanged';

const toFault = (error: unknown): FeedFault =>
  error instanceof FeedFault
    ? error
    : new FeedFault('failed', `The check failed: ${messageOf(error)}.`, { cause: error });

/** Creates the times of the checks: interval, jitter and backoff. `random` returns a number from 0 up to 1. */
function createSchedule(intervalSeconds: number, random: () => number) {
  let failures = 0;
  let delaySeconds = 0;
  const withJitter = (seconds: number): number => seconds * (1 - jitter + 2 * jitter * random());
  return {
    /**
     * The feed was read or is unchanged. `maxAgeSeconds` from its server may lengthen the interval, up to an hour.
     *
     * @returns how long the copy counts as fresh: three intervals, in milliseconds.
     */
    succeed(maxAgeSeconds: number | null): number {
      failures = 0;
      const interval = Math.max(intervalSeconds, Math.min(maxAgeSeconds ?? 0, maxRequestedSeconds));
      delaySeconds = withJitter(interval);
      return 3 * interval * 1000;
    },
    /** The feed could not be fetched: backs off, and at least as long as Retry-After asks for, up to an hour. */
    fail(retryAfterSeconds: number | null): void {
      const ceiling = Math.min(maxBackoffSeconds, firstBackoffSeconds * 2 ** Math.min(failures, 10));
      failures += 1;
      delaySeconds = Math.max(
        minDelaySeconds,
        ceiling * random(),
        Math.min(retryAfterSeconds ?? 0, maxRequestedSeconds),
      );
    },
    /** The feed was fetched and refused: its server works, so the interval holds. */
    refuse(): void {
      delaySeconds = withJitter(intervalSeconds);
    },
    /** Returns the time from the last check to the next one, in milliseconds. */
    delayMs: (): number => delaySeconds * 1000,
  };
}
