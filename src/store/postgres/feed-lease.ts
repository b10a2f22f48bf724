/** The election of a feed's leader where no session lasts: a row that the leader renews, by the database's own time. */
import { randomUUID } from 'node:crypto';
import type { Election } from '../feed-table.ts';
import { type Queries, statement } from './queries.ts';

/**
 * A leader that ends gives the lease back. One that falls silent keeps it for `silence` seconds, so another one leads after
 * 18 seconds at most, as with locks, but also when the leader crashed. `onEnd` is called when the lease was lost.
 */
export function campaignForLease(queries: Queries, key: string, silence: number, onEnd: () => void): Election {
  const own = randomUUID();
  let led = false;
  let resigned = false;

  async function write(changed: Promise<number>): Promise<void> {
    if ((await changed) === 0) throw new Error('another process now fetches the feed');
  }

  return {
    async isLeader() {
      const leads = (await queries.run(renew, key, own, silence * 1000)) === 1;
      if (resigned) void queries.run(giveBack, key, own).catch(() => {});
      else if (led && !leads) onEnd();
      led = leads;
      return leads && !resigned;
    },
    save: (metadata, content) => write(queries.run(saveCopy, key, own, metadata, content)),
    report: ({ checkedAt, freshUntil, nextCheckAt, problem }) =>
      write(queries.run(report, key, own, checkedAt, freshUntil, nextCheckAt, problem)),
    resign() {
      resigned = true;
      // The lease ends by itself when this is not heard.
      void queries.run(giveBack, key, own).catch(() => {});
    },
  };
}

const now = 'floor(extract(epoch FROM clock_timestamp()) * 1000)::BIGINT';

const renew = statement(
  'renew_feed_lease',
  `INSERT INTO feeds (key, leader, leader_until) VALUES ($1, $2, ${now} + $3::BIGINT)
   ON CONFLICT (key) DO UPDATE SET leader = excluded.leader, leader_until = excluded.leader_until
   WHERE feeds.leader IS NULL OR feeds.leader = excluded.leader OR feeds.leader_until <= ${now}`,
);

const giveBack = statement('give_feed_lease_back', 'UPDATE feeds SET leader = NULL WHERE key = $1 AND leader = $2');

const isHeld = `key = $1 AND leader = $2 AND leader_until > ${now}`;

const saveCopy = statement(
  'save_leased_feed_copy',
  `UPDATE feeds SET version = version + 1, metadata = $3, bytes = $4 WHERE ${isHeld}`,
);

const report = statement(
  'report_leased_feed_check',
  `UPDATE feeds SET checked_at = $3, fresh_until = $4, next_check_at = $5, problem = $6 WHERE ${isHeld}`,
);
