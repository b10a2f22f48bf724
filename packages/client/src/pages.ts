/** A listing: awaited, it is its first page; iterated, it is every item of every page. */
import { type Call, callOf, type Reply } from './call.ts';
import { ColophonError } from './errors.ts';

export interface Page<T> {
  readonly data: readonly T[];
  readonly pagination: { readonly has_more: boolean; readonly next_cursor: string | null };
}

export interface Listing<T, P extends Page<T>> extends Call<P>, AsyncIterable<T> {
  /** The pages one after the other; each is requested when it is reached. */
  pages(): AsyncGenerator<P, void, undefined>;
  /** Up to `limit` items in one array. */
  toArray(options: { readonly limit: number }): Promise<T[]>;
}

/** `read` requests the page at a cursor; undefined for the first one. */
export function listingOf<T, P extends Page<T>>(read: (cursor?: string) => Promise<Reply<P>>): Listing<T, P> {
  async function* pages(): AsyncGenerator<P, void, undefined> {
    const seen = new Set<string>();
    let page = (await first.withResponse()).data;
    for (;;) {
      yield page;
      const cursor = page.pagination.has_more ? page.pagination.next_cursor : null;
      if (cursor === null) return;
      if (seen.has(cursor)) throw new ColophonError('The listing repeats a cursor and would never end.');
      seen.add(cursor);
      page = (await read(cursor)).data;
    }
  }
  async function* items(): AsyncGenerator<T, void, undefined> {
    for await (const page of pages()) yield* page.data;
  }
  const first = callOf(() => read());
  return {
    ...first,
    pages,
    async toArray({ limit }) {
      const all: T[] = [];
      if (limit <= 0) return all;
      for await (const item of items()) {
        all.push(item);
        if (all.length >= limit) break;
      }
      return all;
    },
    [Symbol.asyncIterator]: items,
  };
}
