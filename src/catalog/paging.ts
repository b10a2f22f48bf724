/** Pages of a sorted list by key: what comes after the last item that was sent, whatever was added or removed since. */
import type { Position } from './cursor.ts';

export interface PageOptions<Item> {
  /** Number of items of a page, 1 or more. */
  readonly limit: number;
  /** The key of the last item that was sent, which need not exist any more; null for the first page. */
  readonly after: Position | null;
  /** Different for every item. */
  keyOf(item: Item): Position;
  /** The order in which `items` stand. */
  compare(a: Position, b: Position): number;
}

export interface PageOf<Item> {
  readonly items: readonly Item[];
  readonly hasMore: boolean;
  /** The key of the last item of this page; null when it is empty. */
  readonly lastKey: Position | null;
}

/** The first `limit` of `items` whose key comes after `after`. */
export function pageOf<Item>(items: readonly Item[], options: PageOptions<Item>): PageOf<Item> {
  const { limit, after, keyOf } = options;
  const first = after === null ? 0 : placeAfter(items, after, options);
  const page = items.slice(first, first + limit);
  const last = page.at(-1);
  return { items: page, hasMore: first + limit < items.length, lastKey: last === undefined ? null : keyOf(last) };
}

function placeAfter<Item>(items: readonly Item[], after: Position, { keyOf, compare }: PageOptions<Item>): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const item = items[middle];
    if (item !== undefined && compare(keyOf(item), after) <= 0) low = middle + 1;
    else high = middle;
  }
  const isKeyOf = (item: Item | undefined) => item !== undefined && keyOf(item).every((part, at) => part === after[at]);
  if (isKeyOf(items[low - 1])) return low;
  // The key is gone, or the order is not one: malformed versions can compare in a circle. Where the key is still there
  // it decides, so that pages never repeat.
  const exact = items.findIndex(isKeyOf);
  return exact === -1 ? low : exact + 1;
}
