/** Idempotency keys of callers without a token, in bounded memory, so that nobody can fill the disk with them. */
import { createOldest } from '../base/oldest.ts';
import { type IdempotencyTable, idempotencyLifetime } from './idempotency.ts';

/** Creates a table that forgets the oldest keys beyond `limit`, and all of them with a restart. */
export function createMemoryIdempotency(limit = 100_000): IdempotencyTable {
  /** Claims by key, oldest first. */
  const claims = new Map<string, { body: string; claimedAt: number; expiresAt: number }>();
  const oldest = createOldest(claims);
  return {
    async claimIdempotency(keyHash, bodyHash, now, lifetimeMs = idempotencyLifetime) {
      for (let first = oldest.look(); first !== undefined && !isLive(first[1], now); first = oldest.look())
        oldest.drop();
      const key = text(keyHash);
      const body = text(bodyHash);
      const claim = claims.get(key);
      if (claim !== undefined && isLive(claim, now)) {
        return { outcome: claim.body === body ? 'replay' : 'conflict', claimedAt: claim.claimedAt };
      }
      while (claims.size >= limit && oldest.drop() !== undefined);
      claims.delete(key);
      claims.set(key, { body, claimedAt: now, expiresAt: now + lifetimeMs });
      return { outcome: 'new', claimedAt: now };
    },

    async hasIdempotency(keyHash, now) {
      const claim = claims.get(text(keyHash));
      return claim !== undefined && isLive(claim, now);
    },

    async releaseIdempotency(keyHash, claimedAt) {
      const key = text(keyHash);
      if (claims.get(key)?.claimedAt === claimedAt) claims.delete(key);
    },
  };
}

const isLive = (claim: { expiresAt: number }, now: number): boolean => claim.expiresAt > now;

const text = (hash: Uint8Array): string => Buffer.from(hash).toString('latin1');
