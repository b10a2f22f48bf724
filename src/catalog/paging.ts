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

/** Returns the index of the first item after a key. Where the key is still there its place decides, since malformed versions can compare in a circle. */
function placeAfter<Item>(items: readonly Item[], after: Position, { keyOf, compare }: PageOptions<Item>): number {
  const exact = items.findIndex((item) => keyOf(item).every((part, index) => part === after[index]));
  if (exact !== -1) return exact + 1;
  const next = items.findIndex((item) => compare(keyOf(item), after) > 0);
  return next === -1 ? items.length : next;
}
