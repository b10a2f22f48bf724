/** Idempotency keys of callers without a token, in bounded memory, so that nobody can fill the disk with them. */
import { LRUCache } from 'lru-cache';
import { type IdempotencyTable, idempotencyLifetime } from './idempotency.ts';

/** Creates a table that forgets the oldest keys beyond `limit`, and all of them with a restart. */
export function createMemoryIdempotency(limit = 100_000): IdempotencyTable {
  const claims = new LRUCache<string, { body: string; claimedAt: number; expiresAt: number }>({
    // Bounded by size, because `max` reserves memory for all keys at once.
    maxSize: limit,
    sizeCalculation: () => 1,
  });
  return {
    async claimIdempotency(keyHash, bodyHash, now, lifetimeMs = idempotencyLifetime) {
      const key = text(keyHash);
      const body = text(bodyHash);
      const claim = claims.peek(key);
      if (claim !== undefined && isLive(claim, now)) {
        return { outcome: claim.body === body ? 'replay' : 'conflict', claimedAt: claim.claimedAt };
      }
      claims.set(key, { body, claimedAt: now, expiresAt: now + lifetimeMs });
      return { outcome: 'new', claimedAt: now };
    },

    async hasIdempotency(keyHash, now) {
      const claim = claims.peek(text(keyHash));
      return claim !== undefined && isLive(claim, now);
    },

    async releaseIdempotency(keyHash, claimedAt) {
      const key = text(keyHash);
      if (claims.peek(key)?.claimedAt === claimedAt) claims.delete(key);
    },
  };
}

const isLive = (claim: { expiresAt: number }, now: number): boolean => claim.expiresAt > now;

const text = (hash: Uint8Array): string => Buffer.from(hash).toString('latin1');
