/** Idempotency keys for what must not depend on the database: shared while it can be used, local while it cannot. */
import type { IdempotencyTable } from './idempotency.ts';

export const createFallbackIdempotency = (shared: IdempotencyTable, local: IdempotencyTable): IdempotencyTable => ({
  claimIdempotency: (...claim) => shared.claimIdempotency(...claim).catch(() => local.claimIdempotency(...claim)),
  hasIdempotency: (...asked) => shared.hasIdempotency(...asked).catch(() => local.hasIdempotency(...asked)),
  releaseIdempotency: (...claim) => shared.releaseIdempotency(...claim).catch(() => local.releaseIdempotency(...claim)),
});
