/** Idempotency keys: what identifies one, what a table of them must do, and the error for one that was used with another body. */
import { durationInWords } from '../base/amount-in-words.ts';
import { ApiError } from '../base/api-error.ts';
import { canonicalJson } from '../base/canonical-json.ts';
import { sha256Bytes } from '../base/hash.ts';

export const idempotencyLifetime = 86_400_000;

/** new: the key is yours. replay: the same body came before. conflict: another body came before. */
export interface IdempotencyClaim {
  readonly outcome: 'new' | 'replay' | 'conflict';
  /** When the key was first claimed, in milliseconds since 1970. */
  readonly claimedAt: number;
}

export interface IdempotencyTable {
  /**
   * Claims a key, atomically, for 24 hours unless told. `keyHash` covers the principal, the path and the key; `bodyHash` the
   * canonical body; both are SHA-256.
   */
  claimIdempotency(
    keyHash: Uint8Array,
    bodyHash: Uint8Array,
    now: number,
    lifetimeMs?: number,
  ): Promise<IdempotencyClaim>;
  /** Whether a claim of the key is alive; claims nothing. */
  hasIdempotency(keyHash: Uint8Array, now: number): Promise<boolean>;
  /** Forgets a claim whose request was then refused; `claimedAt` keeps a later claim of the same key safe. */
  releaseIdempotency(keyHash: Uint8Array, claimedAt: number): Promise<void>;
}

export interface KeyedRequest {
  readonly key: string;
  /** The request's whole parsed body, which a repetition must equal. */
  readonly body: unknown;
}

/** What keys are used for, in the words of a conflict. */
export interface KeyUse {
  /** Whose keys they are and what for: keys of different scopes do not meet. */
  readonly scope: readonly string[];
  /** "was used", "started an export". */
  readonly did: string;
  /** What a new key is for: "request". */
  readonly thing: string;
  /** 24 hours unless given. */
  readonly lifetimeMs?: number;
}

/** The hash that a repetition of a request has, too. */
export const requestHashOf = (body: unknown): Buffer => sha256Bytes(canonicalJson(body));

/** Claims a key, or throws `idempotency_conflict`. `release` makes it free again, after a request that was refused. */
export async function claimKey(
  table: IdempotencyTable,
  { key, body }: KeyedRequest,
  use: KeyUse,
  now: number,
): Promise<{ keyHash: Buffer; claimedAt: number; replayed: boolean; release(): Promise<void> }> {
  const keyHash = sha256Bytes(JSON.stringify([...use.scope, key]));
  const { outcome, claimedAt } = await table.claimIdempotency(keyHash, requestHashOf(body), now, use.lifetimeMs);
  if (outcome === 'conflict') throw keyConflict(use);
  return {
    keyHash,
    claimedAt,
    replayed: outcome === 'replay',
    async release() {
      if (outcome === 'new') await table.releaseIdempotency(keyHash, claimedAt);
    },
  };
}

/** The 409 of a key that came with another body before. */
export function keyConflict({ did, thing, lifetimeMs = idempotencyLifetime }: Omit<KeyUse, 'scope'>): ApiError {
  const period = durationInWords(lifetimeMs).replace(/^an? /, '');
  return new ApiError(
    'idempotency_conflict',
    `This Idempotency-Key ${did} with another body in the last ${period}. Use a new key for a new ${thing}.`,
  );
}
