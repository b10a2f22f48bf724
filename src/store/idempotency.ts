/** Idempotency keys: the interface of a table of them, claiming one, and the error for another body. */
import { durationInWords } from '../base/amount-in-words.ts';
import { ApiError } from '../base/api-error.ts';
import { canonicalJson } from '../base/canonical-json.ts';
import { sha256Bytes } from '../base/hash.ts';

/** Default lifetime of a claim, in milliseconds. */
export const idempotencyLifetime = 86_400_000;

/** The outcome of a claim. `replay`: the same body was sent before. `conflict`: another body was sent before. */
export interface IdempotencyClaim {
  readonly outcome: 'new' | 'replay' | 'conflict';
  /** When the key was first claimed, in milliseconds since 1970. */
  readonly claimedAt: number;
}

export interface IdempotencyTable {
  /**
   * Claims a key atomically. `keyHash` covers the principal, the path and the key, `bodyHash` the canonical body; both are
   * SHA-256. @defaultValue lifetimeMs idempotencyLifetime
   */
  claimIdempotency(
    keyHash: Uint8Array,
    bodyHash: Uint8Array,
    now: number,
    lifetimeMs?: number,
  ): Promise<IdempotencyClaim>;
  /** Returns whether a claim of the key is alive, and claims nothing. */
  hasIdempotency(keyHash: Uint8Array, now: number): Promise<boolean>;
  /** Deletes a claim whose request was then refused. `claimedAt` protects a later claim of the same key. */
  releaseIdempotency(keyHash: Uint8Array, claimedAt: number): Promise<void>;
}

export interface KeyedRequest {
  readonly key: string;
  /** The parsed body, which a repetition must equal. */
  readonly body: unknown;
}

/** The use of a key, as the message of a conflict names it. */
export interface KeyUse {
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
export async function claimKey(
  table: IdempotencyTable,
  { key, body }: KeyedRequest,
  use: KeyUse,
  now: number,
): Promise<{ keyHash: Buffer; claimedAt: number; replayed: boolean; release(): Promise<void> }> {
  const keyHash = sha256Bytes(JSON.stringify([...use.scope, key]));
  const { outcome, claimedAt } = await table.claimIdempotency(keyHash, hashRequestBody(body), now, use.lifetimeMs);
  if (outcome === 'conflict') throw createKeyConflict(use);
  return {
    keyHash,
    claimedAt,
    replayed: outcome === 'replay',
    async release() {
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
