/** Idempotency keys of callers without a token: in memory and bounded, so that nobody can fill the disk with them. */
import { createOldest } from '../base/oldest.ts';
import { type IdempotencyTable, idempotencyLifetime } from './idempotency.ts';

/** Beyond `limit` keys the oldest are forgotten, early if need be; a restart forgets all. */
export function createMemoryIdempotency(limit = 100_000): IdempotencyTable {
  /** In the order of their claims, so that the oldest come first. */
  const claims = new Map<string, { body: string; claimedAt: number; expiresAt: number }>();
  const oldest = createOldest(claims);
  return {
    async claimIdempotency(keyHash, bodyHash, now, lifetimeMs = idempotencyLifetime) {
      for (let first = oldest.look(); first !== undefined && !isLive(first[1], now); first = oldest.look())
        oldest.drop();
      const key = text(keyHash);
      const body = text(bodyHash);
      const known = claims.get(key);
      if (known !== undefined && isLive(known, now)) {
        return { outcome: known.body === body ? 'replay' : 'conflict', claimedAt: known.claimedAt };
      }
      while (claims.size >= limit && oldest.drop() !== undefined);
      claims.delete(key);
      claims.set(key, { body, claimedAt: now, expiresAt: now + lifetimeMs });
      return { outcome: 'new', claimedAt: now };
    },

    async hasIdempotency(keyHash, now) {
      const known = claims.get(text(keyHash));
      return known !== undefined && isLive(known, now);
    },

    async releaseIdempotency(keyHash, claimedAt) {
      const key = text(keyHash);
      if (claims.get(key)?.claimedAt === claimedAt) claims.delete(key);
    },
  };
}

const isLive = (claim: { expiresAt: number }, now: number): boolean => claim.expiresAt > now;

const text = (hash: Uint8Array): string => Buffer.from(hash).toString('latin1');
