/** Creates listings. Awaiting a listing returns its first page; iterating over it returns every item of every page. */
import { type Call, type Reply } from './call.js';
/** A page of a list, as the API returns it; `next_cursor` is null on the last page. */
export interface Page<T> {
    readonly data: readonly T[];
    readonly pagination: {
        readonly has_more: boolean;
        readonly next_cursor: string | null;
    };
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
    toArray(options: {
        readonly limit: number;
    }): Promise<T[]>;
}
/** Creates a listing and requests its first page. `read` requests the page at a cursor, or the first page if there is none. */
export declare function createListing<T, P extends Page<T>>(read: (cursor?: string) => Promise<Reply<P>>): Listing<T, P>;
