/** Ends a listener: no connection is taken any more, and requests under way may end. */
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { Clock } from '../base/clock.ts';

/** Resolves once every connection is closed; those that are not after `mostMs` milliseconds are cut. */
export async function drain(server: Server, clock: Clock, mostMs: number): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  // A connection whose request has just been answered would wait for the next one.
  let cancelSweep = () => {};
  const sweep = (): void => {
    server.closeIdleConnections();
    cancelSweep = clock.after(50, sweep);
  };
  sweep();
  const cancel = clock.after(mostMs, () => server.closeAllConnections());
  await closed;
  cancelSweep();
  cancel();
}
