/** Idempotency keys in SQLite. */
import { type IdempotencyTable, idempotencyLifetime } from '../idempotency.ts';
import { bytes, integer } from '../row.ts';
import type { Connection } from './connection.ts';

export function createSqliteIdempotency(connection: Connection): IdempotencyTable {
  return {
    async claimIdempotency(keyHash, bodyHash, now, lifetimeMs = idempotencyLifetime) {
      const claimed = connection.run(claim, keyHash, bodyHash, now, now + lifetimeMs, now);
      if (claimed === 1) return { outcome: 'new', claimedAt: now };
      const row = connection.get('SELECT body_hash, claimed_at FROM idempotency_keys WHERE key_hash = ?', keyHash);
      // Statements of one process do not interleave: the row that refused the claim is still there.
      if (row === undefined) throw new Error('An idempotency key vanished between two statements.');
      const same = Buffer.compare(bytes(row, 'body_hash'), bodyHash) === 0;
      return { outcome: same ? 'replay' : 'conflict', claimedAt: integer(row, 'claimed_at') };
    },

    async hasIdempotency(keyHash, now) {
      return (
        connection.get(
          'SELECT 1 AS alive FROM idempotency_keys WHERE key_hash = ? AND expires_at > ?',
          keyHash,
          now,
        ) !== undefined
      );
    },

    async releaseIdempotency(keyHash, claimedAt) {
      connection.run('DELETE FROM idempotency_keys WHERE key_hash = ? AND claimed_at = ?', keyHash, claimedAt);
    },
  };
}

/** An expired row that was not swept yet is taken over. */
const claim = `
  INSERT INTO idempotency_keys (key_hash, body_hash, claimed_at, expires_at) VALUES (?, ?, ?, ?)
  ON CONFLICT (key_hash) DO UPDATE
  SET body_hash = excluded.body_hash, claimed_at = excluded.claimed_at, expires_at = excluded.expires_at
  WHERE idempotency_keys.expires_at <= ?`;
