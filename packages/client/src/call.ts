/** A call in progress: a promise of its data, which can also return the response that contained the data. */

/** A response with its data. */
export interface Reply<T> {
  readonly data: T;
  /** The HTTP status: 200 also after a 304, and in a batch that of the read itself. */
  readonly status: number;
  /** The headers of the response. A reply from a batch has those of the batch, without its `ETag`. */
  readonly headers: Headers;
  /** Whether the server returned 304, so that the data is the cached one. */
  readonly fromCache: boolean;
  /** How many times the request was sent; a repetition with a renewed token counts from 1 again. */
  readonly attempts: number;
}

/**
 * A promise of the data of a response. It rejects with a ColophonError, the reason of the caller's signal, or what `accessToken`,
 * `onRequest` or `onResponse` throws.
 */
export interface Call<T> extends Promise<T> {
  /** Returns the data with the status, the headers and the number of attempts of the same response; sends no second request. */
  withResponse(): Promise<Reply<T>>;
}

/**
 * Creates a call from the reply to a request that was sent. It is a native promise, so that TypeScript, linters and the runtime's
 * report of unhandled rejections treat it as one.
 */
export function createCall<T>(reply: Promise<Reply<T>>): Call<T> {
  const data = reply.then((result) => result.data);
  return Object.assign(data, {
    withResponse() {
      // The returned promise passes a failure to the caller; without this handler, `data` would report the failure as unhandled.
      data.catch(() => {});
      return reply.then((result) => result);
    },
  });
}
