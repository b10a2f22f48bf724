/** The oldest entry of a Map, found in the same short time however many entries have come and gone before it. */

export interface Oldest<K, V> {
  /**
   * The oldest entry, or undefined when there is none. One that was looked at and left counts as the oldest until it is
   * deleted or has another value: an entry that moves to the end gets a new object.
   */
  look(): readonly [K, V] | undefined;
  /** Deletes the oldest entry and returns it. */
  drop(): readonly [K, V] | undefined;
}

/**
 * Asking a Map for its first key takes longer the more entries were deleted before it, thousands of times as long in a
 * large one that is full; so this keeps its place. Nothing else may stand between two calls of `drop` but that entries
 * are added and deleted.
 */
export function createOldest<K, V>(map: Map<K, V>): Oldest<K, V> {
  let entries = map.entries();
  let head: readonly [K, V] | undefined;
  const look = (): readonly [K, V] | undefined => {
    if (head !== undefined && map.get(head[0]) === head[1]) return head;
    let next = entries.next();
    if (next.done === true) {
      entries = map.entries();
      next = entries.next();
    }
    head = next.done === true ? undefined : next.value;
    return head;
  };
  return {
    look,
    drop() {
      const oldest = look();
      if (oldest !== undefined) map.delete(oldest[0]);
      head = undefined;
      return oldest;
    },
  };
}
