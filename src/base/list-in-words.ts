/** Writes lists as a sentence has them. */

/** Returns "a, b and c"; a single item alone, and an empty text for none. */
export function listInWords(items: readonly string[], joint: 'and' | 'or' = 'and'): string {
  const last = items.at(-1) ?? '';
  return items.length < 2 ? last : `${items.slice(0, -1).join(', ')} ${joint} ${last}`;
}

/** Returns what `listInWords` returns for the items as Markdown code: "`a`, `b` and `c`". */
export const writeCodes = (items: readonly string[], joint?: 'and' | 'or'): string =>
  listInWords(
    items.map((item) => `\`${item}\``),
    joint,
  );
