/** Answers tools/list, resources/list, resources/templates/list and prompts/list, a hundred entries a page. */
import type { McpServer } from './mcp-server.ts';
import { invalidParams } from './protocol.ts';
import { listingTtlMs, type Method } from './result.ts';

/** Maximum number of entries on a page: about 30 KB. */
const pageSize = 100;

interface Entry {
  readonly name: string;
  readonly uri?: string;
}

/** Creates a listing, whose field `field` has the entries. */
export function createListing({ key, cursors }: McpServer, field: string, entries: readonly Entry[]): Method {
  const listing = `mcp ${key} ${field}`;
  return ({ cursor }) => {
    if (cursor !== undefined && typeof cursor !== 'string') throw invalidParams('params.cursor must be a string.');
    const start = cursor === undefined ? 0 : findStart(entries, cursors.read(listing, null, cursor));
    const end = start + pageSize;
    const last = entries[end - 1];
    const nextCursor = last && end < entries.length && cursors.issue(listing, null, [end - 1, getId(last)]);
    return {
      fields: { [field]: entries.slice(start, end), ...(nextCursor && { nextCursor }) },
      ttlMs: listingTtlMs,
    };
  };
}

/** Returns the index of the entry after a cursor's one, or the cursor's own index if the content no longer has that entry. */
function findStart(entries: readonly Entry[], [index, id]: readonly (string | number)[]): number {
  return entries.findIndex((entry) => getId(entry) === id) + 1 || Number(index);
}

/** Pages and FAQ entries may have the same name, but not the same URI. */
const getId = ({ name, uri = name }: Entry): string => uri;
