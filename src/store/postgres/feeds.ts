/** Feeds in PostgreSQL: the copy that all processes serve, and the lock of the one that fetches. */
import { sha256Bytes } from '../../base/hash.ts';
import type { FeedTable } from '../feed-table.ts';
import { storeDown } from '../outage.ts';
import { bytes, integer, nullable, text } from '../row.ts';
import type { PostgresConnection } from './connection.ts';
import { campaignForLease } from './feed-lease.ts';
import { type Queries, statement } from './queries.ts';

/*
 * The leader is whoever holds a lock, and the lock lives as long as its session. When the leader's process ends, however
 * it ends, its socket closes and the lock is free at once. When the process is stopped, or its machine or its network is
 * gone, nothing closes; so the server ends a session that says nothing for 15 seconds, while a leader that is well asks
 * every three. The next candidate that asks then leads: after 18 seconds at most, and never two at a time.
 */

/** `silence`: seconds after which the database puts a leader out of office that says nothing. */
export function createPostgresFeeds(connection: PostgresConnection, silence = 15): FeedTable {
  return {
    async load(key) {
      const row = await connection.get(loadCopy, key);
      if (row === undefined) return null;
      return { version: integer(row, 'version'), metadata: text(row, 'metadata'), bytes: bytes(row, 'bytes') };
    },

    save: (key, metadata, content) => save(connection, key, metadata, content),

    async news(key) {
      const row = await connection.get(readNews, key);
      if (row === undefined) return null;
      return {
        version: integer(row, 'version'),
        checkedAt: nullable(integer, row, 'checked_at'),
        freshUntil: nullable(integer, row, 'fresh_until'),
        nextCheckAt: nullable(integer, row, 'next_check_at'),
        problem: nullable(text, row, 'problem'),
      };
    },

    async campaign(key, onEnd) {
      if (connection.pooling === 'transaction') return campaignForLease(connection, key, silence, onEnd);
      const session = await connection.openSession({ limited: true, onEnd }).catch((error: unknown) => {
        throw storeDown(error);
      });
      await session.script(`SET idle_session_timeout = '${silence}s'`);
      let leading = false;
      return {
        async isLeader() {
          // Taken once: the lock counts how often it is taken.
          if (leading) await session.get(heartbeat);
          else leading = (await session.get(tryToLead, lockOf(key)))?.leads === true;
          return leading;
        },
        // On the session that holds the lock: whoever lost the lock lost this connection too, and writes nothing late.
        save: (metadata, content) => save(session, key, metadata, content),
        async report({ checkedAt, freshUntil, nextCheckAt, problem }) {
          await session.run(report, key, checkedAt, freshUntil, nextCheckAt, problem);
        },
        resign: () => session.close(),
      };
    },
  };
}

/** A number unique to the feed's key; migrations have one of 48 bits, this has 52 with the first bit set. */
const lockOf = (key: string): number => {
  const digest = sha256Bytes(`feed ${key}`);
  return 2 ** 51 + digest.readUIntBE(0, 6);
};

async function save(queries: Queries, key: string, metadata: string, content: Uint8Array): Promise<void> {
  await queries.run(saveCopy, key, metadata, content);
}

const loadCopy = statement(
  'load_feed_copy',
  'SELECT version, metadata, bytes FROM feeds WHERE key = $1 AND metadata IS NOT NULL',
);

const saveCopy = statement(
  'save_feed_copy',
  `INSERT INTO feeds (key, version, metadata, bytes) VALUES ($1, 1, $2, $3)
   ON CONFLICT (key) DO UPDATE
   SET version = feeds.version + 1, metadata = excluded.metadata, bytes = excluded.bytes`,
);

const readNews = statement(
  'read_feed_news',
  'SELECT version, checked_at, fresh_until, next_check_at, problem FROM feeds WHERE key = $1',
);

const report = statement(
  'report_feed_check',
  `INSERT INTO feeds (key, checked_at, fresh_until, next_check_at, problem) VALUES ($1, $2, $3, $4, $5)
   ON CONFLICT (key) DO UPDATE
   SET checked_at = excluded.checked_at, fresh_until = excluded.fresh_until,
     next_check_at = excluded.next_check_at, problem = excluded.problem`,
);

const tryToLead = statement('try_to_lead_feed', 'SELECT pg_try_advisory_lock($1) AS leads');
const heartbeat = statement('feed_leader_heartbeat', 'SELECT 1');
