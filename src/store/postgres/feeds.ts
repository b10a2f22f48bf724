/** Statements on shared feeds: the copy that all processes serve, and the lease of the process that fetches it. */
import { randomUUID } from 'node:crypto';
import type { Database } from '../database.ts';
import type { FeedNews, FeedTable, StoredCopy } from '../feed-table.ts';
import { bytes, defineRecord, integer, nullable, text } from '../row.ts';

/**
 * Creates the table of feeds. The leader renews a lease every few seconds by the database's time. A leader that ends
 * gives it back; one that crashes or falls silent keeps it for `leaseMs`, and then the next candidate leads.
 */
export function createFeedTable(database: Database, leaseMs = 15_000): FeedTable {
  return {
    async load(key) {
      const sql = `SELECT ${copy.columns} FROM feeds WHERE key = ?1 AND metadata IS NOT NULL`;
      const row = await database.get(sql, key);
      return row === undefined ? null : copy.read(row);
    },

    async save(key, metadata, content) {
      await database.run(saveCopy, key, metadata, content);
    },

    async news(key) {
      const row = await database.get(`SELECT ${news.columns} FROM feeds WHERE key = ?1`, key);
      return row === undefined ? null : news.read(row);
    },

    async campaign(key, onEnd) {
      const candidate = randomUUID();
      let wasLeader = false;
      let hasResigned = false;
      const giveBack = (): void => {
        const sql = 'UPDATE feeds SET leader = NULL WHERE key = ?1 AND leader = ?2';
        // A lease that is not given back expires.
        database.run(sql, key, candidate).catch(() => {});
      };
      const write = async (changes: Promise<number>): Promise<void> => {
        if ((await changes) === 0) throw new Error('another process now fetches the feed');
      };
      return {
        async isLeader() {
          const leads = (await database.run(renewLease, key, candidate, leaseMs)) === 1;
          if (hasResigned) giveBack();
          else if (wasLeader && !leads) onEnd();
          wasLeader = leads;
          return leads && !hasResigned;
        },
        save: (metadata, content) => write(database.run(saveLeadersCopy, key, candidate, metadata, content)),
        report: ({ checkedAt, freshUntil, nextCheckAt, problem }) =>
          write(database.run(report, key, candidate, checkedAt, freshUntil, nextCheckAt, problem)),
        resign() {
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

const copy = defineRecord<StoredCopy>({ version: integer, metadata: text, bytes });

const news = defineRecord<FeedNews>({
  version: integer,
  checkedAt: nullable(integer),
  freshUntil: nullable(integer),
  nextCheckAt: nullable(integer),
  problem: nullable(text),
});

const now = 'floor(extract(epoch FROM clock_timestamp()) * 1000)::BIGINT';

const renewLease = `
  INSERT INTO feeds (key, leader, leader_until) VALUES (?1, ?2, ${now} + ?3::BIGINT)
  ON CONFLICT (key) DO UPDATE SET leader = excluded.leader, leader_until = excluded.leader_until
  WHERE feeds.leader IS NULL OR feeds.leader = excluded.leader OR feeds.leader_until <= ${now}`;

const hasLease = `key = ?1 AND leader = ?2 AND leader_until > ${now}`;

const saveLeadersCopy = `UPDATE feeds SET version = version + 1, metadata = ?3, bytes = ?4 WHERE ${hasLease}`;

const report = `
  UPDATE feeds SET checked_at = ?3, fresh_until = ?4, next_check_at = ?5, problem = ?6 WHERE ${hasLease}`;
