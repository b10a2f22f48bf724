/** Sends the responses of one turn of the event loop together, so that a busy client or proxy wakes up once for all of them. */

/** The responses that wait to be sent at the end of this turn of the event loop. */
export interface ResponseBatch {
  /**
   * Calls `send` at the end of this turn of the event loop, or sooner if many responses wait. If it throws, those that wait behind
   * it are not sent.
   */
  add(send: () => void): void;
  /** Sends the responses that wait, before something that may take longer. */
  flush(): void;
}

/** Maximum number of responses that wait: so many are created in half a millisecond. */
const maxWaiting = 32;

/** Creates an empty batch, in which at most 32 responses of a server wait for the end of a turn. */
export function createResponseBatch(): ResponseBatch {
  let waiting: (() => void)[] = [];

  const flush = (): void => {
    const batch = waiting;
    waiting = [];
    for (const send of batch) send();
  };

  return {
    add(send) {
      if (waiting.length === 0) setImmediate(flush);
      waiting.push(send);
      if (waiting.length === maxWaiting) flush();
    },
    flush,
  };
}
