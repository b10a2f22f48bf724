/** Idempotency keys of callers without a token: in memory and bounded, so that nobody can fill the disk with them. */
import { type IdempotencyTable, idempotencyLifetime } from './idempotency.ts';

/** Beyond `limit` keys the oldest are forgotten, early if need be; a restart forgets all. */
export function createMemoryIdempotency(limit = 100_000): IdempotencyTable {
  /** In the order of their claims, so that the oldest come first. */
  const claims = new Map<string, { body: string; claimedAt: number }>();
  return {
    async claimIdempotency(keyHash, bodyHash, now) {
      for (const [key, claim] of claims) {
        if (isLive(claim, now)) break;
        claims.delete(key);
      }
      const key = text(keyHash);
      const body = text(bodyHash);
      const known = claims.get(key);
      if (known !== undefined && isLive(known, now)) {
        return { outcome: known.body === body ? 'replay' : 'conflict', claimedAt: known.claimedAt };
      }
      for (const oldest of claims.keys()) {
        if (claims.size < limit) break;
        claims.delete(oldest);
      }
      claims.delete(key);
      claims.set(key, { body, claimedAt: now });
      return { outcome: 'new', claimedAt: now };
    },

    async releaseIdempotency(keyHash, claimedAt) {
      const key = text(keyHash);
      if (claims.get(key)?.claimedAt === claimedAt) claims.delete(key);
    },
  };
}

const isLive = (claim: { claimedAt: number }, now: number): boolean => claim.claimedAt + idempotencyLifetime > now;

const text = (hash: Uint8Array): string => Buffer.from(hash).toString('latin1');
