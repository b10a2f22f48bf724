/** A feed of several processes: one of them is elected to fetch it, the others serve the copy that it saves. */
import { messageOf } from '../base/thrown.ts';
import type { Election, FeedNews, FeedTable, SharedCheck } from '../store/feed-table.ts';
import { copyKey, createSharedCopies } from './copies.ts';
import { createFeed, type Feed, type FeedOptions } from './feed.ts';
import { clampedSeconds } from './schedule.ts';

export type SharedFeedOptions = Omit<FeedOptions, 'copies'> & { readonly table: FeedTable };

/** How often a follower looks for news, a candidate asks whether it leads, and a leader says that it is well. */
const roundMs = 3000;
/** How long a first start waits for what the leader fetches. */
const firstDeadlineMs = 10_000;
const firstRoundMs = 500;

/**
 * The leader checks as a single process does, and writes down copy and outcome. Followers verify the copy again, as after
 * a restart. While the database is down nobody leads: everyone serves what it has, fresh for as long as that was promised.
 */
export function createSharedFeed(options: SharedFeedOptions): Feed {
  const { table, clock, log } = options;
  const key = copyKey(options.source, options.publicKeys);
  const copies = createSharedCopies({
    load: table.load,
    async save(_, metadata, bytes) {
      if (election === null) throw new Error('another process now fetches the feed');
      await election.save(metadata, bytes);
    },
  });
  const own = createFeed({ ...options, copies });
  let election: Election | null = null;
  let leading = false;
  let news: FeedNews | null = null;
  /** The version of the copy that was loaded last. */
  let version = 0;
  let outage: string | null = null;
  let underWay: Promise<void> | null = null;
  let stopped = false;
  let cancel = (): void => {};

  function resign(): void {
    election?.resign();
    election = null;
    if (leading) log.info({}, 'this process no longer fetches the feed');
    leading = false;
    own.pause();
  }

  async function isLeader(): Promise<boolean> {
    election ??= await table.campaign(key, resign);
    // Stopped, or cut off, in the meantime.
    if (stopped) resign();
    return (await election?.isLeader()) ?? false;
  }

  async function follow(): Promise<void> {
    news = await table.news(key);
    if (news === null || news.version === version) return;
    await own.reload();
    version = news.version;
  }

  /** Never rejects. Resolves once a new leader's first check is done. */
  async function attempt(): Promise<void> {
    try {
      const elected = await isLeader();
      if (!leading && !stopped) await follow();
      outage = null;
      if (elected && !leading && !stopped) {
        leading = true;
        log.info({}, 'this process fetches the feed, for all on the database');
        await own.start();
      }
    } catch (error) {
      resign();
      if (stopped) return;
      const problem = `The database that shares the feed cannot be used: ${messageOf(error)}`;
      if (outage === null) log.warn({ event: 'feed.share_failed', err: error }, problem);
      outage = problem;
    }
  }

  function round(): Promise<void> {
    cancel();
    underWay ??= attempt().finally(() => {
      underWay = null;
      if (!stopped) cancel = clock.after(roundMs, () => void round());
    });
    return underWay;
  }

  async function report(check: SharedCheck): Promise<void> {
    if (!leading || election === null) return;
    // What it promised still holds when it is no leader any more.
    news = { version, ...check };
    try {
      await election.report(check);
    } catch (error) {
      // The next round finds out whether the connection is lost; the next check reports again.
      log.warn({ event: 'feed.share_failed', err: error }, 'the outcome of the feed’s check was not shared');
    }
  }
  own.onChecked((check) => void report(check));

  return {
    snapshot: own.snapshot,
    onChange: own.onChange,
    status() {
      if (leading) return own.status();
      const now = clock.now();
      const isFresh = now <= (news?.freshUntil ?? 0);
      return {
        state: own.snapshot() === null ? 'unavailable' : isFresh ? 'fresh' : 'stale',
        problem: outage ?? news?.problem ?? null,
        checkedAt: news?.checkedAt ?? null,
        retryAfterSeconds: clampedSeconds((news?.nextCheckAt ?? 0) - now),
      };
    },
    async start() {
      const end = clock.monotonic() + firstDeadlineMs;
      await round();
      // Nothing was ever fetched, and the leader is at it.
      while (!leading && outage === null && own.snapshot() === null && clock.monotonic() < end) {
        if (news?.problem) return;
        await new Promise<void>((resolve) => {
          clock.after(firstRoundMs, resolve);
        });
        await round();
      }
    },
    async check() {
      if (leading) return own.check();
      const before = own.snapshot();
      await round();
      return own.snapshot() === before ? 'unchanged' : 'updated';
    },
    stop() {
      stopped = true;
      cancel();
      resign();
      own.stop();
    },
  };
}
