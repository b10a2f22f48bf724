/** Creates listings. Awaiting a listing returns its first page; iterating over it returns every item of every page. */
import { type Call, createCall, type Reply } from './call.ts';
import { ColophonError } from './errors.ts';

/** A page of a list, as the API returns it; `next_cursor` is null on the last page. */
export interface Page<T> {
  readonly data: readonly T[];
  readonly pagination: { readonly has_more: boolean; readonly next_cursor: string | null };
}

/**
 * A list. Awaiting it returns its first page, which is requested at once; iterating over it returns every item, and requests each
 * later page when it is reached.
 */
export interface Listing<T, P extends Page<T>> extends Call<P>, AsyncIterable<T> {
  /**
   * Returns the pages in order; each after the first is requested when it is reached. Throws ColophonError if a cursor comes twice,
   * because such a list would never end.
   */
  pages(): AsyncGenerator<P, void, undefined>;
  /** Returns the first `limit` items, or all if there are fewer, in one array, which is empty for a `limit` of 0 or less. */
  toArray(options: { readonly limit: number }): Promise<T[]>;
}

/** Creates a listing and requests its first page. `read` requests the page at a cursor, or the first page if there is none. */
export function createListing<T, P extends Page<T>>(read: (cursor?: string) => Promise<Reply<P>>): Listing<T, P> {
  const first = createCall(read());
  async function* pages(): AsyncGenerator<P, void, undefined> {
    const earlierCursors = new Set<string>();
    let page = await first;
    for (;;) {
      yield page;
      const cursor = page.pagination.has_more ? page.pagination.next_cursor : null;
      if (cursor === null) return;
      if (earlierCursors.has(cursor)) throw new ColophonError('The listing repeats a cursor and would never end.');
      earlierCursors.add(cursor);
      page = (await read(cursor)).data;
    }
  }
  async function* items(): AsyncGenerator<T, void, undefined> {
    for await (const page of pages()) yield* page.data;
  }
  return Object.assign(first, {
    pages,
    async toArray({ limit }: { readonly limit: number }) {
      const all: T[] = [];
      for await (const page of pages()) {
        all.push(...page.data.slice(0, Math.max(0, limit - all.length)));
        if (all.length >= limit) break;
      }
      return all;
    },
    [Symbol.asyncIterator]: items,
  });
}
