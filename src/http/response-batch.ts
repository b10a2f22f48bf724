/** Holds answers until the event loop has read what there was to read, so that they leave together: a busy client or proxy is woken for all of them, not for each. */

export interface ResponseBatch {
  /** Sends at the end of this turn of the event loop, or sooner when many wait. */
  add(send: () => void): void;
  /** Sends what waits, before something that may take longer. */
  flush(): void;
}

/** Maximum number of responses that wait: so many are created in half a millisecond. */
const maxWaiting = 32;

export function createResponseBatch(): ResponseBatch {
  let waiting: (() => void)[] = [];

  const flush = (): void => {
    const leaving = waiting;
    waiting = [];
    for (const send of leaving) send();
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
