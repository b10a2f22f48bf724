/** Remembers texts by a key, within a bound; past it the oldest go. */
import { createOldest } from '../base/oldest.ts';

export interface Memo {
  get(key: string): string | undefined;
  set(key: string, text: string): void;
}

/** `mostCharacters` counts keys and texts together. */
export function createMemo(mostCharacters = 8_000_000): Memo {
  const held = new Map<string, string>();
  const oldest = createOldest(held);
  let size = 0;
  return {
    get: (key) => held.get(key),
    set(key, text) {
      const added = key.length + text.length;
      if (added > mostCharacters / 8 || held.has(key)) return;
      held.set(key, text);
      size += added;
      while (size > mostCharacters) {
        const dropped = oldest.drop();
        if (dropped === undefined) break;
        size -= dropped[0].length + dropped[1].length;
      }
    },
  };
}
