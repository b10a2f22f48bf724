/** Statements on the idempotency keys of clients. */
import type { Database } from './database.ts';
import { type IdempotencyTable, idempotencyLifetime } from './idempotency.ts';
import { bytes, integer } from './row.ts';

/** Creates the table of idempotency keys in a database. */
export function createIdempotencyTable(database: Database): IdempotencyTable {
  const find = (keyHash: Uint8Array) =>
    database.get('SELECT body_hash, claimed_at, expires_at FROM idempotency_keys WHERE key_hash = ?1', keyHash);
  return {
    async claimIdempotency(keyHash, bodyHash, now, lifetimeMs = idempotencyLifetime) {
      const values = [keyHash, bodyHash, now, now + lifetimeMs];
      for (;;) {
        if ((await database.run(claim, ...values)) === 1) return { outcome: 'new', claimedAt: now };
        // A separate statement, because the one above does not see a claim that was committed while it waited for it.
        const row = await find(keyHash);
        // Another request released the key in between: try again.
        if (row === undefined) continue;
        if (integer.read(row, 'expires_at') > now) {
          const isSame = Buffer.compare(bytes.read(row, 'body_hash'), bodyHash) === 0;
          return { outcome: isSame ? 'replay' : 'conflict', claimedAt: integer.read(row, 'claimed_at') };
        }
        if ((await database.run(takeOver, ...values)) === 1) return { outcome: 'new', claimedAt: now };
      }
    },

    async hasIdempotency(keyHash, now) {
      const row = await find(keyHash);
      return row !== undefined && integer.read(row, 'expires_at') > now;
    },

    async releaseIdempotency(keyHash, claimedAt) {
      await database.run('DELETE FROM idempotency_keys WHERE key_hash = ?1 AND claimed_at = ?2', keyHash, claimedAt);
    },
  };
}

/** An update that changes nothing would lock the row and write to the disk. */
const claim = `
  INSERT INTO idempotency_keys (key_hash, body_hash, claimed_at, expires_at) VALUES (?1, ?2, ?3, ?4)
  ON CONFLICT (key_hash) DO NOTHING`;

/** Takes over a row that has expired and was not deleted yet. */
const takeOver = `
  UPDATE idempotency_keys SET body_hash = ?2, claimed_at = ?3, expires_at = ?4
  WHERE key_hash = ?1 AND expires_at <= ?3`;
