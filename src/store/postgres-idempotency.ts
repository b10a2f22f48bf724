/** Idempotency keys in PostgreSQL. */
import { type IdempotencyTable, idempotencyLifetime } from './idempotency.ts';
import { type PostgresConnection, statement } from './postgres-connection.ts';
import { bytes, integer } from './row.ts';

export function createPostgresIdempotency(connection: PostgresConnection): IdempotencyTable {
  return {
    async claimIdempotency(keyHash, bodyHash, now) {
      for (;;) {
        const claimed = await connection.run(claim, keyHash, bodyHash, now, now + idempotencyLifetime);
        if (claimed === 1) return { outcome: 'new', claimedAt: now };
        // A statement of its own: the one above does not see a claim that was committed while it waited for it.
        const row = await connection.get(findClaim, keyHash);
        // Released in between: then it may be ours.
        if (row === undefined) continue;
        const same = Buffer.compare(bytes(row, 'body_hash'), bodyHash) === 0;
        return { outcome: same ? 'replay' : 'conflict', claimedAt: integer(row, 'claimed_at') };
      }
    },

    async releaseIdempotency(keyHash, claimedAt) {
      await connection.run(release, keyHash, claimedAt);
    },
  };
}

/** An expired row that was not swept yet is taken over. */
const claim = statement(
  'claim_idempotency',
  `INSERT INTO idempotency_keys (key_hash, body_hash, claimed_at, expires_at) VALUES ($1, $2, $3, $4)
   ON CONFLICT (key_hash) DO UPDATE
   SET body_hash = excluded.body_hash, claimed_at = excluded.claimed_at, expires_at = excluded.expires_at
   WHERE idempotency_keys.expires_at <= $3`,
);

const findClaim = statement(
  'find_idempotency',
  'SELECT body_hash, claimed_at FROM idempotency_keys WHERE key_hash = $1',
);

const release = statement(
  'release_idempotency',
  'DELETE FROM idempotency_keys WHERE key_hash = $1 AND claimed_at = $2',
);
