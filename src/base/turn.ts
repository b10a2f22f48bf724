/** Lets other requests run between the parts of a long computation. */
import { setImmediate } from 'node:timers/promises';
import type { Clock } from './clock.ts';

/** Maximum time, in milliseconds, that one request computes before others get a turn of the event loop. */
const maxTurnMs = 10;

/**
 * Returns a function to call between two parts of the work for a request. It returns null until 10 milliseconds (`maxTurnMs`) have
 * passed since it was created or since its last promise resolved, and then a promise that resolves in a later turn of the event
 * loop.
 */
export function createPauses(clock: Pick<Clock, 'monotonic'>): () => Promise<void> | null {
  let startedAt = clock.monotonic();
  const pause = async (): Promise<void> => {
    await setImmediate();
    startedAt = clock.monotonic();
  };
  return () => (clock.monotonic() - startedAt < maxTurnMs ? null : pause());
}

/**
 * Returns the result of `convert` for each item, in order. Between slices of `size` items, the event loop gets a turn. Rejects with
 * what `convert` throws.
 */
export async function mapInSlices<T, R>(items: readonly T[], convert: (item: T) => R, size = 100): Promise<R[]> {
  const results: R[] = [];
  for (const [index, item] of items.entries()) {
    if (index > 0 && index % size === 0) await setImmediate();
    results.push(convert(item));
  }
  return results;
}
