/** A feed of several processes: one of them is elected to fetch it, the others serve the copy that it stores. */
import { getMessage } from '../base/thrown.ts';
import type { Election, FeedTable, SharedCheck } from '../store/postgres/feeds.ts';
import { createFeed, describeStatus, type Feed, type FeedOptions, neverChecked } from './feed.ts';
import { createCacheKey, createTableStorage } from './feed-storage.ts';

/** The options of a feed, and the table that the processes share. */
export type SharedFeedOptions = Omit<FeedOptions, 'storage'> & { readonly table: FeedTable };

/** Interval of rounds in milliseconds: a leader renews its lease, a follower looks for a new copy and applies for the lease. */
const roundMs = 3000;
/** Maximum time that a start waits for the first copy of the leader, and the interval of rounds meanwhile, in milliseconds. */
const firstDeadlineMs = 10_000;
const firstRoundMs = 500;

/**
 * Creates the feed of a process that shares it with others on one database; nothing happens before `start` or `check`. The leader,
 * elected among them, checks as a single process does, and stores copy and outcome; followers verify the copy again, as after a
 * restart, and their `check` only looks for a newer one. While the database is down nobody leads: everyone serves what it has,
 * fresh for as long as that was promised, and a process that has nothing fetches the feed once by itself.
 */
export function createSharedFeed(options: SharedFeedOptions): Feed {
  const { table, clock, log } = options;
  const key = createCacheKey(options.source, options.publicKeys);
  const storage = createTableStorage({
    load: table.load,
    async save(_, metadata, bytes) {
      if (election === null) throw new Error('another process now fetches the feed');
      await election.save(metadata, bytes);
    },
  });
  const feed = createFeed({ ...options, storage, onCheck: (check) => void report(check) });
  let isStopped = false;
  let election: Election | null = null;
  let isLeading = false;
  /** The last check of the feed, by this process or another one. */
  let last = neverChecked;
  /** The version of the copy that was loaded last. */
  let version = 0;
  let outage: string | null = null;
  let round: Promise<void> | null = null;
  let cancelNext = (): void => {};

  function resign(): void {
    election?.resign();
    election = null;
    if (isLeading) log.info({}, 'this process no longer fetches the feed');
    isLeading = false;
    feed.pause();
  }

  async function isElected(): Promise<boolean> {
    election ??= await table.campaign(key, resign);
    // `stop` may have been called while `campaign` was waiting, so this process resigns.
    if (isStopped) resign();
    return (await election?.isLeader()) ?? false;
  }

  async function follow(): Promise<void> {
    const news = await table.news(key);
    if (news === undefined) return;
    last = news;
    if (news.version === version) return;
    await feed.reload();
    version = news.version;
  }

  /**
   * Runs one round of the election, and leads or follows by its result. Never rejects; resolves once a new leader's first check is
   * done.
   */
  async function runRound(): Promise<void> {
    try {
      const hasWon = await isElected();
      if (!isLeading && !isStopped) await follow();
      outage = null;
      if (hasWon && !isLeading && !isStopped) {
        isLeading = true;
        log.info({}, 'this process fetches the feed, for all on the database');
        await feed.start();
      }
    } catch (error) {
      resign();
      if (isStopped) return;
      const problem = `The database that shares the feed cannot be used: ${getMessage(error)}`;
      const isNew = outage === null;
      if (isNew) log.warn({ event: 'feed.share_failed', err: error }, problem);
      outage = problem;
      if (isNew && feed.snapshot() === null) await fetchAlone();
    }
  }

  /**
   * Fetches the feed once for this process, which started without the database and has no copy to serve. Never rejects: `status`
   * says what failed.
   */
  async function fetchAlone(): Promise<void> {
    await feed.start();
    feed.pause();
  }

  function waitForRound(): Promise<void> {
    cancelNext();
    round ??= runRound().finally(() => {
      round = null;
      if (!isStopped) cancelNext = clock.after(roundMs, () => void waitForRound());
    });
    return round;
  }

  async function report(check: SharedCheck): Promise<void> {
    last = check;
    if (!isLeading || election === null) return;
    try {
      await election.report(check);
    } catch (error) {
      // The next round of the election notices a lost connection, and the next check reports again.
      log.warn({ event: 'feed.share_failed', err: error }, 'the outcome of the feed’s check was not shared');
    }
  }

  return {
    snapshot: feed.snapshot,
    onChange: feed.onChange,
    status: () => describeStatus(feed.snapshot(), { ...last, problem: outage ?? last.problem }, clock.now()),
    async start() {
      const end = clock.monotonic() + firstDeadlineMs;
      await waitForRound();
      // Without a first copy, this process waits, because the leader is fetching the feed.
      while (!isLeading && outage === null && feed.snapshot() === null && clock.monotonic() < end) {
        if (last.problem !== null) return;
        await new Promise<void>((resolve) => {
          clock.after(firstRoundMs, resolve);
        });
        await waitForRound();
      }
    },
    async check() {
      if (isLeading) return feed.check();
      const before = feed.snapshot();
      await waitForRound();
      return feed.snapshot() === before ? 'unchanged' : 'updated';
    },
    stop() {
      isStopped = true;
      feed.stop();
      cancelNext();
      resign();
    },
  };
}
