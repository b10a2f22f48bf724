/** Answers tools/list, resources/list, resources/templates/list and prompts/list, a hundred entries a page. */
import type { Position } from '../catalog/cursor.ts';
import { pageOf } from '../catalog/paging.ts';
import type { McpServer } from './mcp-server.ts';
import { invalidParams } from './protocol.ts';
import { listingTtlMs, type Method } from './result.ts';

const pageSize = 100;

/** Creates a listing, whose field `member` has the items. They are in the order of their positions, which are their indexes where they have none. */
export function createListing(
  { key, cursors }: McpServer,
  member: string,
  listed: readonly { readonly position?: Position; readonly definition: object }[],
): Method {
  const items = listed.map(({ position, definition }, index) => ({ position: position ?? [index], definition }));
  const listing = `mcp ${key} ${member}`;
  const createPage = (after: Position | null): object => {
    const page = pageOf(items, { limit: pageSize, after, keyOf: ({ position }) => position, compare });
    const nextCursor = page.hasMore && page.lastKey !== null ? cursors.issue(listing, null, page.lastKey) : null;
    return { [member]: page.items.map(({ definition }) => definition), ...(nextCursor !== null && { nextCursor }) };
  };
  return ({ cursor }) => {
    if (cursor !== undefined && typeof cursor !== 'string') throw invalidParams('params.cursor must be a string.');
    return {
      fields: createPage(cursor === undefined ? null : cursors.read(listing, null, cursor)),
      ttlMs: listingTtlMs,
    };
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
