/** Listings in pages of a hundred; the first page's text is made once. */
import type { Position } from '../catalog/cursor.ts';
import { pageOf } from '../catalog/paging.ts';
import type { Catalogue } from './catalogue.ts';
import { invalidParams } from './protocol.ts';
import { listingTtlMs, type Method, membersOf } from './result.ts';

const pageSize = 100;

/** `items` are in the order of their positions; the result holds them in the named field. */
export function createListing(
  { key, cursors }: Catalogue,
  member: string,
  items: readonly { readonly position: Position; readonly definition: object }[],
): Method {
  const listing = `mcp ${key} ${member}`;
  const page = (after: Position | null): string => {
    const found = pageOf(items, { limit: pageSize, after, keyOf: ({ position }) => position, compare });
    const nextCursor = found.hasMore && found.lastKey !== null ? cursors.issue(listing, null, found.lastKey) : null;
    return membersOf({
      [member]: found.items.map(({ definition }) => definition),
      ...(nextCursor !== null && { nextCursor }),
    });
  };
  let first: string | undefined;
  return ({ cursor }) => {
    if (cursor !== undefined && typeof cursor !== 'string') throw invalidParams('params.cursor must be a string.');
    const freshness = { ttlMs: listingTtlMs };
    if (cursor !== undefined) return { members: page(cursors.read(listing, null, cursor)), freshness };
    first ??= page(null);
    return { members: first, freshness };
  };
}

/** Part by part; numbers before names. */
function compare(a: Position, b: Position): number {
  for (const [index, part] of a.entries()) {
    const other = b[index];
    if (other === undefined) return 1;
    if (part === other) continue;
    if (typeof part !== typeof other) return typeof part === 'number' ? -1 : 1;
    return part < other ? -1 : 1;
  }
  return a.length - b.length;
}
