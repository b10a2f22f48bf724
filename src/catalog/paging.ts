/** Pages of a sorted list by key: what comes after the last item that was sent, whatever was added or removed since. */
import type { SortKey } from './cursor.ts';

/** Selects a page of a sorted list. */
export interface PageOptions<Item> {
  /** Number of items of a page, 1 or more. */
  readonly limit: number;
  /** The key of the last item that was sent, which need not exist any more; null for the first page. */
  readonly after: SortKey | null;
  /** Returns an item's sort key, which no other item has. */
  getKey(item: Item): SortKey;
  /** Compares two keys in the order of the list. */
  compare(a: SortKey, b: SortKey): number;
}

/** One page of a list. */
export interface ListPage<Item> {
  readonly items: readonly Item[];
  readonly hasMore: boolean;
  /** The key of the last item of this page; null when it is empty. */
  readonly lastKey: SortKey | null;
}

/**
 * Returns the first `limit` of the items whose key comes after `after`, or of all items if that is null. `items` are sorted
 * already. A page after the last item is empty, with `hasMore` false.
 */
export function selectPage<Item>(items: readonly Item[], options: PageOptions<Item>): ListPage<Item> {
  const { limit, after, getKey } = options;
  const first = after === null ? 0 : findPlaceAfter(items, after, options);
  const page = items.slice(first, first + limit);
  const last = page.at(-1);
  return { items: page, hasMore: first + limit < items.length, lastKey: last === undefined ? null : getKey(last) };
}

/**
 * Returns the index of the first item after a key, or the number of items if there is none. If the list still has the key, its
 * place decides, because malformed versions can compare in a circle.
 */
function findPlaceAfter<Item>(items: readonly Item[], after: SortKey, { getKey, compare }: PageOptions<Item>): number {
  const exact = items.findIndex((item) => getKey(item).every((part, index) => part === after[index]));
  if (exact !== -1) return exact + 1;
  const next = items.findIndex((item) => compare(getKey(item), after) > 0);
  return next === -1 ? items.length : next;
}
