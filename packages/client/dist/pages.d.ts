/** Creates listings. Awaiting a listing returns its first page; iterating over it returns every item of every page. */
import { type Call, type Reply } from './call.js';
/** A page of a list, as the API returns it. */
export interface Page<T> {
    readonly data: readonly T[];
    readonly pagination: {
        readonly has_more: boolean;
        readonly next_cursor: string | null;
    };
}
/** A list whose pages are requested when they are reached. */
export interface Listing<T, P extends Page<T>> extends Call<P>, AsyncIterable<T> {
    /** Returns the pages in order; each after the first is requested when it is reached. */
    pages(): AsyncGenerator<P, void, undefined>;
    /** Returns at most `limit` items in one array. */
    toArray(options: {
        readonly limit: number;
    }): Promise<T[]>;
}
/** Creates a listing. `read` requests the page at a cursor, or the first page if there is none. */
export declare function createListing<T, P extends Page<T>>(read: (cursor?: string) => Promise<Reply<P>>): Listing<T, P>;
