/** Remembers what was made of a text by a key, within a bound; past it the oldest go. */
import { createOldest } from '../base/oldest.ts';

export interface Memo<T> {
  get(key: string): T | undefined;
  set(key: string, made: T): void;
}

/** `mostCharacters` counts keys and texts together. */
export function createMemo<T extends { readonly members: string }>(mostCharacters = 8_000_000): Memo<T> {
  const held = new Map<string, T>();
  const oldest = createOldest(held);
  let size = 0;
  return {
    get: (key) => held.get(key),
    set(key, made) {
      const added = key.length + made.members.length;
      if (added > mostCharacters / 8 || held.has(key)) return;
      held.set(key, made);
      size += added;
      while (size > mostCharacters) {
        const dropped = oldest.drop();
        if (dropped === undefined) break;
        size -= dropped[0].length + dropped[1].members.length;
      }
    },
  };
}
