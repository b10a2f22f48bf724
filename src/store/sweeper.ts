/** Calls the store's sweep every minute, until nothing expired is left. */
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { Store } from './store.ts';

export interface Sweeper {
  /** Starts no further sweep. A sweep in progress finishes its batch. */
  close(): void;
}

/** Sweeps now and every minute, 500 rows of each table at a time, with requests in between. */
export function createSweeper(options: { store: Pick<Store, 'sweep'>; clock: Clock; log: Log }): Sweeper {
  const { store, clock, log } = options;
  let closed = false;
  let cancel = (): void => {};

  async function sweep(): Promise<void> {
    let waitMs = intervalMs;
    try {
      const { deleted, more } = await store.sweep(clock.now(), 500);
      if (deleted > 0) log.info({ event: 'store.swept', deleted }, 'Deleted expired rows.');
      if (more) waitMs = pauseMs;
    } catch (error) {
      log.error(
        { event: 'store.sweep_failed', err: error },
        'Expired rows could not be deleted; trying again in a minute.',
      );
    }
    if (!closed) cancel = clock.after(waitMs, () => void sweep());
  }

  void sweep();
  return {
    close() {
      closed = true;
      cancel();
    },
  };
}

const intervalMs = 60_000;
/** Pause between batches, in milliseconds. */
const pauseMs = 20;
