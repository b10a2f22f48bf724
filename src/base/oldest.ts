/** The oldest entry of a Map, found in the same short time however many entries have come and gone before it. */

/**
 * A function that gives the oldest entry, or undefined when there is none. Asking a Map for its first key takes longer
 * the more entries were deleted before it, thousands of times as long in a large one that is full; so this keeps its
 * place. An entry that was looked at and left counts as the oldest until it is deleted or has another value.
 */
export function createOldest<K, V>(map: ReadonlyMap<K, V>): () => readonly [K, V] | undefined {
  let entries = map.entries();
  let head: readonly [K, V] | undefined;
  return () => {
    if (head !== undefined && map.get(head[0]) === head[1]) return head;
    let next = entries.next();
    if (next.done === true) {
      entries = map.entries();
      next = entries.next();
    }
    head = next.done === true ? undefined : next.value;
    return head;
  };
}
