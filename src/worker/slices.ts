/** Cuts a sequence of texts into slices, each small enough for one message between processes. */

/** Minimum length of a slice, in characters: the other process reads it in a few milliseconds. */
const sliceLength = 200_000;

/**
 * Yields the items in slices, each of which ends with the item that makes it reach 200,000 characters; the last one is shorter and
 * may be empty. They are created one slice at a time, because creating all at once takes as long as sending them.
 *
 * @param getLength returns the number of characters of an item
 */
export function* sliceItems<T>(items: Iterable<T>, getLength: (item: T) => number): Iterable<T[]> {
  let slice: T[] = [];
  let length = 0;
  for (const item of items) {
    slice.push(item);
    length += getLength(item);
    if (length < sliceLength) continue;
    yield slice;
    slice = [];
    length = 0;
  }
  yield slice;
}
