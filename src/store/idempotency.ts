/** Idempotency keys: claiming one, the tables that keep them in a database or in memory, and the error for another body. */
import { LRUCache } from 'lru-cache';
import { writeDuration } from '../base/amount-in-words.ts';
import { ApiError } from '../base/api-error.ts';
import { writeCanonicalJson } from '../base/canonical-json.ts';
import { sha256Bytes } from '../base/hash.ts';
import type { Database } from './database.ts';
import { bytes, defineRecord, integer, type RecordType } from './record.ts';

/** Default lifetime of a claim, in milliseconds. */
export const idempotencyLifetime = 86_400_000;

/** A request with an Idempotency-Key. */
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

/** Returns the SHA-256 of the canonical JSON of a parsed body; a repetition has the same one. */
export const hashRequestBody = (body: unknown): Buffer => sha256Bytes(writeCanonicalJson(body));

/**
 * Claims a key, or throws `idempotency_conflict` if it was sent with another body. Returns the SHA-256 of scope and key
 * (`keyHash`), when it was first claimed (`claimedAt`, in milliseconds since 1970), and whether that was by an earlier request
 * (`replayed`). `release` frees a key that this request claimed, after the request was refused; it leaves one that was replayed.
 */
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

/** Creates `idempotency_conflict` (409) for a key that was sent with another body before. */
export function createKeyConflict({ did, thing, lifetimeMs = idempotencyLifetime }: Omit<KeyUse, 'scope'>): ApiError {
  const period = writeDuration(lifetimeMs).replace(/^an? /, '');
  return new ApiError(
    'idempotency_conflict',
    `This Idempotency-Key ${did} with another body in the last ${period}. Use a new key for a new ${thing}.`,
  );
}

/** A table of idempotency keys, in a database or in memory, which claims, looks up and releases them. */
export type IdempotencyTable = ReturnType<typeof createTable>;

/** The storage of claims: a database, or the memory of this process. */
interface Claims {
  /** Stores a claim, or returns false if there is one of the same key, which may have expired. */
  insert(claim: Claim): Promise<boolean>;
  /** Returns the claim of a key, which may have expired, or undefined if there is none. */
  find(keyHash: Uint8Array): Promise<Claim | undefined>;
  /** Deletes the claim of a key, but not a later claim of the same key. */
  remove(keyHash: Uint8Array, claimedAt: number): Promise<unknown>;
}

/** Creates a table of idempotency keys. A key hash covers the principal, the path and the key; a body hash, the canonical body. */
const createTable = (claims: Claims) => ({
  /**
   * Claims a key atomically. The outcome is `new`, `replay` if the same body was sent before, or `conflict` if another one was.
   * `claimedAt` is when the key was first claimed, in milliseconds since 1970.
   */
  async claimIdempotency(keyHash: Uint8Array, bodyHash: Uint8Array, now: number, lifetimeMs = idempotencyLifetime) {
    const claim = { keyHash, bodyHash, claimedAt: now, expiresAt: now + lifetimeMs };
    for (;;) {
      if (await claims.insert(claim)) return { outcome: 'new', claimedAt: now } as const;
      const earlier = await claims.find(keyHash);
      // Another request released the key between the two statements, so the claim is tried again.
      if (earlier === undefined) continue;
      if (earlier.expiresAt > now) {
        const isSame = Buffer.compare(earlier.bodyHash, bodyHash) === 0;
        return { outcome: isSame ? 'replay' : 'conflict', claimedAt: earlier.claimedAt } as const;
      }
      await claims.remove(keyHash, earlier.claimedAt);
    }
  },
  /** Returns whether a claim of the key is alive, and claims nothing. */
  hasIdempotency: async (keyHash: Uint8Array, now: number) => ((await claims.find(keyHash))?.expiresAt ?? 0) > now,
  /** Deletes a claim whose request was then refused. */
  releaseIdempotency: claims.remove,
});

const claim = defineRecord('idempotency_keys', {
  keyHash: bytes,
  bodyHash: bytes,
  claimedAt: integer,
  expiresAt: integer,
});

type Claim = RecordType<typeof claim>;

/**
 * Creates the table of idempotency keys in a database. Inserting and finding are separate statements: one would not see a claim
 * that was committed while it waited.
 */
export const createIdempotencyTable = (database: Database) =>
  createTable({
    insert: (newClaim) => claim.insert(database, newClaim),
    find: (keyHash) => claim.find(database, 'key_hash = ?1', keyHash),
    remove: (keyHash, claimedAt) =>
      database.run('DELETE FROM idempotency_keys WHERE key_hash = ?1 AND claimed_at = ?2', keyHash, claimedAt),
  });

/**
 * Creates the table for callers without a token, in memory, so that nobody can fill the disk with keys. It forgets the
 * oldest keys beyond `limit`, and all of them with a restart.
 */
export function createMemoryIdempotency(limit = 100_000): IdempotencyTable {
  const claims = new LRUCache<string, Pick<Claim, 'claimedAt' | 'expiresAt'> & { readonly body: string }>({
    // `maxSize` with a size of 1 limits the number of keys; `max` would reserve memory for all of them at once.
    maxSize: limit,
    sizeCalculation: () => 1,
  });
  // A hash is kept as text, which takes a fraction of the memory of a buffer.
  const toText = (hash: Uint8Array): string => Buffer.from(hash).toString('latin1');
  return createTable({
    async insert({ keyHash, bodyHash, ...times }) {
      const isNew = !claims.has(toText(keyHash));
      if (isNew) claims.set(toText(keyHash), { body: toText(bodyHash), ...times });
      return isNew;
    },
    async find(keyHash) {
      const storedClaim = claims.peek(toText(keyHash));
      return storedClaim && { ...storedClaim, keyHash, bodyHash: Buffer.from(storedClaim.body, 'latin1') };
    },
    async remove(keyHash, claimedAt) {
      if (claims.peek(toText(keyHash))?.claimedAt === claimedAt) claims.delete(toText(keyHash));
    },
  });
}
