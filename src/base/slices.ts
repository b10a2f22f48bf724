/** Processes long lists in slices, so that requests get their turn of the event loop in between. */
import { setImmediate } from 'node:timers/promises';

/** Returns the result of `convert` for each item, in order. A slice has `size` items. */
export async function inSlices<T, R>(items: readonly T[], convert: (item: T) => R, size = 100): Promise<R[]> {
  const results: R[] = [];
  for (const [index, item] of items.entries()) {
    if (index > 0 && index % size === 0) await setImmediate();
    results.push(convert(item));
  }
  return results;
}
