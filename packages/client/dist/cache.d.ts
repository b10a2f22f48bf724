/** Caches the bodies of earlier GETs with their entity tags, and evicts the least recently used one first. */
/** The body of an earlier response with its entity tag and headers, to be returned again after a 304. */
export interface CachedBody {
    readonly etag: string;
    /** The JSON as text: it is parsed for each caller, so that no caller can change the value of another. */
    readonly text: string;
    readonly headers: Headers;
}
/** A cache of bodies in memory. A key is the access token, or '' without one, followed by a space and the URL. */
export interface ResponseCache {
    /** Returns the cached body and marks it as the most recently used one, or returns null if there is none. */
    get(key: string): CachedBody | null;
    /** Stores a body, in place of an earlier one with this key, and marks it as the most recently used one. */
    set(key: string, body: CachedBody): void;
}
/** Creates an empty cache of at most `size` bodies, of which the least recently used is dropped first; with 0 it caches nothing. */
export declare function createResponseCache(size: number): ResponseCache;
