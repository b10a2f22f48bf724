/** Long lists, a slice at a time: other work of the event loop gets its turn in between. */
import { setImmediate } from 'node:timers/promises';

/** What `make` gives for each item, in order. A slice has `most` items. */
export async function inSlices<T, R>(
  items: readonly T[],
  make: (item: T, index: number) => R,
  most = 100,
): Promise<R[]> {
  const made: R[] = [];
  for (const [index, item] of items.entries()) {
    if (index > 0 && index % most === 0) await setImmediate();
    made.push(make(item, index));
  }
  return made;
}
