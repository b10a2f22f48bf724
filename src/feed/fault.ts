/** Defines the error of a feed that is not accepted, with a sentence that names the fix. */

/** The details of a feed that could not be fetched: the status, and when the server wants to be asked again. */
export interface FeedFaultOptions {
  /** The number of seconds that the upstream asked us to wait before the next request, or null if it did not. */
  readonly retryAfterSeconds?: number | null;
  /** The HTTP status of the upstream's response, or null if there was none. */
  readonly status?: number | null;
  readonly cause?: unknown;
}

/**
 * The reason why a feed was not accepted, while the last good copy stays in service; the message is for the operator. `failed`: no
 * feed could be fetched. `refused`: one was fetched and is not acceptable.
 */
export class FeedFault extends Error {
  readonly kind: 'failed' | 'refused';
  /** The number of seconds that the upstream asked us to wait before the next request, or null if it did not. */
  readonly retryAfterSeconds: number | null;
  /** The HTTP status of the upstream's response, or null if there was none. */
  readonly status: number | null;

  constructor(kind: 'failed' | 'refused', message: string, options: FeedFaultOptions = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.name = 'FeedFault';
    this.kind = kind;
    this.retryAfterSeconds = options.retryAfterSeconds ?? null;
    this.status = options.status ?? null;
  }
}
