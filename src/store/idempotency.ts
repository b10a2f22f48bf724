/** Idempotency keys: claiming one, the tables that keep them in a database or in memory, and the error for another body. */
import { LRUCache } from 'lru-cache';
import { durationInWords } from '../base/amount-in-words.ts';
import { ApiError } from '../base/api-error.ts';
import { canonicalJson } from '../base/canonical-json.ts';
import { sha256Bytes } from '../base/hash.ts';
import type { Database } from './database.ts';
import { bytes, defineRecord, integer } from './record.ts';

/** Default lifetime of a claim, in milliseconds. */
export const idempotencyLifetime = 86_400_000;

export interface KeyedRequest {
  readonly key: string;
  /** The parsed body, which a repetition must equal. */
  readonly body: unknown;
}

/** The use of a key, as the message of a conflict names it. */
interface KeyUse {
  /** The principal and the path. Keys of different scopes are independent. */
  readonly scope: readonly string[];
  /** The verb, such as "was used" or "started an export". */
  readonly did: string;
  /** The noun that needs a new key, such as "request". */
  readonly thing: string;
  /** @defaultValue idempotencyLifetime */
  readonly lifetimeMs?: number;
}

/** Hashes the body of a request; a repetition has the same hash. */
export const hashRequestBody = (body: unknown): Buffer => sha256Bytes(canonicalJson(body));

/** Claims a key, or throws `idempotency_conflict`. `release` frees the key after a request that was refused. */
export async function claimKey(table: IdempotencyTable, { key, body }: KeyedRequest, use: KeyUse, now: number) {
  const keyHash = sha256Bytes(JSON.stringify([...use.scope, key]));
  const { outcome, claimedAt } = await table.claimIdempotency(keyHash, hashRequestBody(body), now, use.lifetimeMs);
  if (outcome === 'conflict') throw createKeyConflict(use);
  return {
    keyHash,
    claimedAt,
    replayed: outcome === 'replay',
    async release(): Promise<void> {
      if (outcome === 'new') await table.releaseIdempotency(keyHash, claimedAt);
    },
  };
}

/** Creates the 409 for a key that was sent with another body before. */
export function createKeyConflict({ did, thing, lifetimeMs = idempotencyLifetime }: Omit<KeyUse, 'scope'>): ApiError {
  const period = durationInWords(lifetimeMs).replace(/^an? /, '');
  return new ApiError(
    'idempotency_conflict',
    `This Idempotency-Key ${did} with another body in the last ${period}. Use a new key for a new ${thing}.`,
  );
}

/** The outcome of a claim. `replay`: the same body was sent before. `conflict`: another body was sent before. */
interface IdempotencyClaim {
  readonly outcome: 'new' | 'replay' | 'conflict';
  /** When the key was first claimed, in milliseconds since 1970. */
  readonly claimedAt: number;
}

export type IdempotencyTable = ReturnType<typeof createIdempotencyTable>;

/** Creates the table of idempotency keys in a database. */
export function createIdempotencyTable(database: Database) {
  const find = (keyHash: Uint8Array) => storedKey.find(database, 'key_hash = ?1', keyHash);
  return {
    /** Claims a key atomically. `keyHash` covers the principal, the path and the key, `bodyHash` the canonical body. */
    async claimIdempotency(
      keyHash: Uint8Array,
      bodyHash: Uint8Array,
      now: number,
      lifetimeMs = idempotencyLifetime,
    ): Promise<IdempotencyClaim> {
      const claim = { keyHash, bodyHash, claimedAt: now, expiresAt: now + lifetimeMs };
      for (;;) {
        // An update that changes nothing would lock the row and write to the disk.
        if (await storedKey.insert(database, claim)) return { outcome: 'new', claimedAt: now };
        // A separate statement, because the one above does not see a claim that was committed while it waited for it.
        const earlier = await find(keyHash);
        // Another request released the key in between: try again.
        if (earlier === undefined) continue;
        if (earlier.expiresAt > now) {
          const isSame = Buffer.compare(earlier.bodyHash, bodyHash) === 0;
          return { outcome: isSame ? 'replay' : 'conflict', claimedAt: earlier.claimedAt };
        }
        // The row has expired and was not deleted yet.
        await database.run('DELETE FROM idempotency_keys WHERE key_hash = ?1 AND expires_at <= ?2', keyHash, now);
      }
    },

    /** Returns whether a claim of the key is alive, and claims nothing. */
    async hasIdempotency(keyHash: Uint8Array, now: number): Promise<boolean> {
      return ((await find(keyHash))?.expiresAt ?? 0) > now;
    },

    /** Deletes a claim whose request was then refused. `claimedAt` protects a later claim of the same key. */
    async releaseIdempotency(keyHash: Uint8Array, claimedAt: number): Promise<void> {
      await database.run('DELETE FROM idempotency_keys WHERE key_hash = ?1 AND claimed_at = ?2', keyHash, claimedAt);
    },
  };
}

const storedKey = defineRecord('idempotency_keys', {
  keyHash: bytes,
  bodyHash: bytes,
  claimedAt: integer,
  expiresAt: integer,
});

/**
 * Creates the table for callers without a token, in memory, so that nobody can fill the disk with keys. It forgets the
 * oldest keys beyond `limit`, and all of them with a restart.
 */
export function createMemoryIdempotency(limit = 100_000): IdempotencyTable {
  const claims = new LRUCache<string, { body: string; claimedAt: number; expiresAt: number }>({
    // Bounded by size, because `max` reserves memory for all keys at once.
    maxSize: limit,
    sizeCalculation: () => 1,
  });
  const toText = (hash: Uint8Array): string => Buffer.from(hash).toString('latin1');
  const find = (keyHash: Uint8Array, now: number) => {
    const claim = claims.peek(toText(keyHash));
    return claim !== undefined && claim.expiresAt > now ? claim : undefined;
  };
  return {
    async claimIdempotency(keyHash, bodyHash, now, lifetimeMs = idempotencyLifetime) {
      const body = toText(bodyHash);
      const earlier = find(keyHash, now);
      if (earlier !== undefined) {
        return { outcome: earlier.body === body ? 'replay' : 'conflict', claimedAt: earlier.claimedAt };
      }
      claims.set(toText(keyHash), { body, claimedAt: now, expiresAt: now + lifetimeMs });
      return { outcome: 'new', claimedAt: now };
    },
    hasIdempotency: async (keyHash, now) => find(keyHash, now) !== undefined,
    async releaseIdempotency(keyHash, claimedAt) {
      const key = toText(keyHash);
      if (claims.peek(key)?.claimedAt === claimedAt) claims.delete(key);
    },
  };
}
