/** Keeps the product's update feed at hand: asks for it in the background, and serves the last good copy meanwhile. */
import { counting, type TaskMeter, uncounted } from '../base/task-tally.ts';
import { messageOf } from '../base/thrown.ts';
import type { SharedCheck } from '../store/feed-table.ts';
import { isUnder } from './address.ts';
import { FeedFault } from './fault.ts';
import { fetchFeed } from './fetch.ts';
import type { FeedSnapshot, FeedStatus } from './release.ts';
import { createSchedule } from './schedule.ts';
import { createServedFeed, type ServedFeedOptions } from './served-feed.ts';

export interface FeedOptions extends ServedFeedOptions {
  intervalSeconds: number;
  /** The origin of this server, which it must not read its feed from. */
  ownOrigin?: string;
  /** Counts its checks. */
  meter?: TaskMeter;
  /** From 0 up to 1, for jitter. */
  random?: () => number;
}

export interface Feed {
  snapshot(): FeedSnapshot | null;
  status(): FeedStatus;
  /** Loads the saved copy, verifies it again, makes the first check (10 s at most), then polls. Never throws on a bad feed. */
  start(): Promise<void>;
  /** One check now, or the one that is under way. Resolves to what happened. */
  check(): Promise<CheckResult>;
  /** Calls back after each new snapshot was accepted. */
  onChange(listener: () => void): void;
  stop(): void;
}

/** A feed that this process fetches, or could: what it takes to share it with others (shared-feed.ts). */
export interface OwnFeed extends Feed {
  /** Loads the saved copy and serves it, verified again, whatever was served before; keeps what there is when it is unusable. */
  reload(): Promise<void>;
  /** Asks no more by itself, until start(). */
  pause(): void;
  /** Calls back after each check with how it went. */
  onChecked(listener: (check: SharedCheck) => void): void;
}

/** `failed`: it could not be fetched. `refused`: it was fetched and is not acceptable. */
export type CheckResult = 'updated' | 'unchanged' | 'failed' | 'refused';

const isRead = (result: CheckResult): boolean => result === 'updated' || result === 'unchanged';

/** It would find its own copy there, and call that fresh for ever. */
const ownFeed = 'feed.source is under BASE_URL: the server would read itself. Use the URL where the feed is published.';

const firstDeadlineMs = 10_000;
const deadlineMs = 15_000;

/** Nothing is read or connected before start() or check(). */
export function createFeed(options: FeedOptions): OwnFeed {
  const { source, clock, log, meter = uncounted } = options;
  const stopping = new AbortController();
  const served = createServedFeed(options, stopping.signal);
  const schedule = createSchedule({
    clock,
    intervalSeconds: options.intervalSeconds,
    random: options.random ?? Math.random,
  });
  const checkListeners: ((check: SharedCheck) => void)[] = [];

  let problem: string | null = null;
  let checkedAt: number | null = null;
  let restored: Promise<void> | null = null;
  let underWay: Promise<CheckResult> | null = null;
  let polling = false;

  async function attempt(deadline: number): Promise<CheckResult> {
    restored ??= served.restore();
    await restored;
    try {
      if (isUnder(source, options.ownOrigin ?? '')) throw new FeedFault('failed', ownFeed);
      const fetched = await fetchFeed(source, {
        validators: served.validators(),
        deadlineMs: deadline,
        signal: stopping.signal,
        now: clock.now(),
      });
      const result = fetched.bytes === null ? 'unchanged' : await served.examine(fetched.bytes, fetched);
      if (problem !== null) log.info({}, 'the feed is available again');
      problem = null;
      checkedAt = clock.now();
      schedule.succeeded(fetched.maxAgeSeconds);
      return result;
    } catch (thrown) {
      const { kind, message, retryAfterSeconds } = asFault(thrown);
      if (message !== problem && !stopping.signal.aborted) log.warn({ feed: kind }, message);
      problem = message;
      if (kind === 'failed') schedule.failed(retryAfterSeconds);
      else schedule.refused();
      return kind;
    }
  }

  function check(deadline: number): Promise<CheckResult> {
    underWay ??= counting(meter, () => attempt(deadline), isRead).finally(() => {
      underWay = null;
      void served.fetchNotes();
      if (polling) schedule.next(() => void check(deadlineMs));
      const freshFor = schedule.freshForMs();
      const dueIn = schedule.dueInMs();
      const now = clock.now();
      // Moments are whole milliseconds, as the database keeps them; what the schedule measures has fractions.
      const freshUntil = freshFor === null ? null : now + Math.round(freshFor);
      const nextCheckAt = dueIn === null ? null : now + Math.round(dueIn);
      for (const listener of checkListeners) listener({ checkedAt, freshUntil, nextCheckAt, problem });
    });
    return underWay;
  }

  return {
    snapshot: served.snapshot,
    status: () => ({
      state: served.snapshot() === null ? 'unavailable' : schedule.isFresh() ? 'fresh' : 'stale',
      problem,
      checkedAt,
      retryAfterSeconds: schedule.retryAfterSeconds(),
    }),
    async start() {
      polling = true;
      let cancel = () => {};
      const longEnough = new Promise<void>((resolve) => {
        cancel = clock.after(firstDeadlineMs, resolve);
      });
      // Also when the saved copy, a DNS lookup or the notes take long: the check then continues in the background.
      await Promise.race([check(firstDeadlineMs), longEnough]);
      cancel();
    },
    check: () => check(deadlineMs),
    reload() {
      // What this process could not save is older than what another one has.
      served.dropUnsaved();
      restored = served.restore();
      return restored;
    },
    pause() {
      polling = false;
      schedule.stop();
    },
    onChecked(listener) {
      checkListeners.push(listener);
    },
    onChange: served.onChange,
    stop() {
      polling = false;
      stopping.abort();
      schedule.stop();
    },
  };
}

const asFault = (thrown: unknown): FeedFault =>
  thrown instanceof FeedFault
    ? thrown
    : new FeedFault('failed', `The check failed: ${messageOf(thrown)}.`, { cause: thrown });
