/** Why a feed was not taken, in a sentence that names the fix. */

/** The details of a feed that could not be fetched: the status, and when the server wants to be asked again. */
export interface FeedFaultOptions {
  /** How long the upstream asked us to wait before the next request. */
  readonly retryAfterSeconds?: number | null;
  /** The status of the upstream's response, or null if there was none. */
  readonly status?: number | null;
  readonly cause?: unknown;
}

/** `failed`: no feed could be fetched. `refused`: one was fetched and is not acceptable. The last good copy stays either way. */
export class FeedFault extends Error {
  readonly kind: 'failed' | 'refused';
  readonly retryAfterSeconds: number | null;
  readonly status: number | null;

  constructor(kind: 'failed' | 'refused', message: string, options: FeedFaultOptions = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.name = 'FeedFault';
    this.kind = kind;
    this.retryAfterSeconds = options.retryAfterSeconds ?? null;
    this.status = options.status ?? null;
  }
}
