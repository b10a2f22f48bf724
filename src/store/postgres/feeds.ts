/** Statements on shared feeds: the copy that all processes serve, and the lease of the process that fetches it. */
import { randomUUID } from 'node:crypto';
import type { Queries } from '../database.ts';
import { bytes, defineRecord, integer, nullable, type RecordType, text } from '../record.ts';

/**
 * Creates the table of feeds, which reads and replaces the shared copy of a feed, reads its last check, and elects the process that
 * fetches it. Every method may reject with the ApiError `upstream_unavailable`. A leader that ends gives its lease back; one that
 * crashes or falls silent keeps it for `leaseMs`, by the database's time, and then the next candidate leads.
 */
export function createFeedTable(database: Queries, leaseMs = 15_000) {
  return {
    /** Returns the last good copy, or undefined before the first. */
    load: (key: string) => copy.find(database, 'key = ?1 AND metadata IS NOT NULL', key),
    /** Replaces the stored copy, whichever process is the leader. `metadata` is JSON that only the caller interprets. */
    async save(key: string, metadata: string, content: Uint8Array): Promise<void> {
      await database.run(saveCopy, key, metadata, content);
    },
    /** Returns the last check, with 0 or null for what does not exist yet, or undefined before the first leader or `save`. */
    news: (key: string) => news.find(database, 'key = ?1', key),
    /**
     * Joins the election of the process that fetches the feed, and returns the candidacy, which leads once `isLeader` returns true;
     * its `save` and `report` reject with an Error while it does not. `onEnd` is called when `isLeader` finds that this process was
     * the leader and is not any more.
     */
    async campaign(key: string, onEnd: () => void) {
      const candidate = randomUUID();
      let wasLeader = false;
      let hasResigned = false;
      const giveBack = (): void => {
        const sql = 'UPDATE feeds SET leader = NULL WHERE key = ?1 AND leader = ?2';
        // A failure is ignored, because a lease that is not returned expires.
        database.run(sql, key, candidate).catch(() => {});
      };
      const write = async (changes: Promise<number>): Promise<void> => {
        if ((await changes) === 0) throw new Error('another process now fetches the feed');
      };
      return {
        /**
         * Takes the lead if no process has it, or renews it, and returns whether this process is the leader; a leader must call it
         * every few seconds. Returns false after `resign`. Rejects with `upstream_unavailable`, without a call of `onEnd`, while
         * the database is down.
         */
        async isLeader(): Promise<boolean> {
          const leads = (await database.run(renewLease, key, candidate, leaseMs)) === 1;
          if (hasResigned) giveBack();
          else if (wasLeader && !leads) onEnd();
          wasLeader = leads;
          return leads && !hasResigned;
        },
        /** Replaces the copy. Like `report`, it rejects with an Error once the lease has expired or another process leads. */
        save: (metadata: string, content: Uint8Array) =>
          write(database.run(saveLeadersCopy, key, candidate, metadata, content)),
        report: ({ checkedAt, freshUntil, nextCheckAt, problem }: SharedCheck) =>
          write(database.run(report, key, candidate, checkedAt, freshUntil, nextCheckAt, problem)),
        resign(): void {
          hasResigned = true;
          giveBack();
        },
      };
    },
  };
}

const saveCopy = `
  INSERT INTO feeds (key, version, metadata, bytes) VALUES (?1, 1, ?2, ?3)
  ON CONFLICT (key) DO UPDATE
  SET version = feeds.version + 1, metadata = excluded.metadata, bytes = excluded.bytes`;

const copy = defineRecord('feeds', {
  /** Number of the copy, which rises with each replacement. */
  version: integer,
  /** JSON that only the caller interprets. */
  metadata: text,
  bytes,
});

const news = defineRecord('feeds', {
  /** Number of the stored copy, or 0 if there is none. */
  version: integer,
  /** When the last successful check finished, or null before the first. */
  checkedAt: nullable(integer),
  /** When the copy stops being fresh, or null. */
  freshUntil: nullable(integer),
  nextCheckAt: nullable(integer),
  /** Why the last check failed, or null if it succeeded. */
  problem: nullable(text),
});

/** The table of feeds, which all processes on one database share. The key of a feed is a hash of its address and its public keys. */
export type FeedTable = ReturnType<typeof createFeedTable>;
/** The candidacy of this process to fetch a feed, as `campaign` returns it. Its writes are rejected without the lease. */
export type Election = Awaited<ReturnType<FeedTable['campaign']>>;
/** The last good copy of a feed: its `bytes` as they were received, `metadata` in JSON, and the number of the copy as `version`. */
export type StoredCopy = RecordType<typeof copy>;
/**
 * The outcome of the last check of a feed, as other processes read it. `problem` is null if it succeeded or there was none yet, and
 * `checkedAt` is the moment of the last successful one. Moments are in milliseconds since 1970, or null if there is none.
 */
export type SharedCheck = Omit<RecordType<typeof news>, 'version'>;

const now = 'floor(extract(epoch FROM clock_timestamp()) * 1000)::BIGINT';

const renewLease = `
  INSERT INTO feeds (key, leader, leader_until) VALUES (?1, ?2, ${now} + ?3::BIGINT)
  ON CONFLICT (key) DO UPDATE SET leader = excluded.leader, leader_until = excluded.leader_until
  WHERE feeds.leader IS NULL OR feeds.leader = excluded.leader OR feeds.leader_until <= ${now}`;

const hasLease = `key = ?1 AND leader = ?2 AND leader_until > ${now}`;

const saveLeadersCopy = `UPDATE feeds SET version = version + 1, metadata = ?3, bytes = ?4 WHERE ${hasLease}`;

const report = `
  UPDATE feeds SET checked_at = ?3, fresh_until = ?4, next_check_at = ?5, problem = ?6 WHERE ${hasLease}`;
