/** Idempotency keys in PostgreSQL. */
import { type IdempotencyTable, idempotencyLifetime } from '../idempotency.ts';
import { bytes, integer } from '../row.ts';
import type { PostgresConnection } from './connection.ts';
import { statement } from './queries.ts';

export function createPostgresIdempotency(connection: PostgresConnection): IdempotencyTable {
  return {
    async claimIdempotency(keyHash, bodyHash, now, lifetimeMs = idempotencyLifetime) {
      const expiresAt = now + lifetimeMs;
      for (;;) {
        if ((await connection.run(claim, keyHash, bodyHash, now, expiresAt)) === 1)
          return { outcome: 'new', claimedAt: now };
        // A separate statement: the one above does not see a claim that was committed while it waited for it.
        const row = await connection.get(findClaim, keyHash);
        // Released in between: then it may be ours.
        if (row === undefined) continue;
        if (integer(row, 'expires_at') > now) {
          const same = Buffer.compare(bytes(row, 'body_hash'), bodyHash) === 0;
          return { outcome: same ? 'replay' : 'conflict', claimedAt: integer(row, 'claimed_at') };
        }
        const taken = await connection.run(takeOver, keyHash, bodyHash, now, expiresAt);
        if (taken === 1) return { outcome: 'new', claimedAt: now };
      }
    },

    async hasIdempotency(keyHash, now) {
      const row = await connection.get(findClaim, keyHash);
      return row !== undefined && integer(row, 'expires_at') > now;
    },

    async releaseIdempotency(keyHash, claimedAt) {
      await connection.run(release, keyHash, claimedAt);
    },
  };
}

/** Doing nothing is cheaper than an update that changes nothing, which would lock the row and write to the disk. */
const claim = statement(
  'claim_idempotency',
  `INSERT INTO idempotency_keys (key_hash, body_hash, claimed_at, expires_at) VALUES ($1, $2, $3, $4)
   ON CONFLICT (key_hash) DO NOTHING`,
);

const findClaim = statement(
  'find_idempotency',
  'SELECT body_hash, claimed_at, expires_at FROM idempotency_keys WHERE key_hash = $1',
);

/** An expired row that was not swept yet. */
const takeOver = statement(
  'take_over_idempotency',
  `UPDATE idempotency_keys SET body_hash = $2, claimed_at = $3, expires_at = $4
   WHERE key_hash = $1 AND expires_at <= $3`,
);

const release = statement(
  'release_idempotency',
  'DELETE FROM idempotency_keys WHERE key_hash = $1 AND claimed_at = $2',
);
