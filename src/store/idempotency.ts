/** Idempotency keys: what a table of them must do, on disk or in memory. */

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
