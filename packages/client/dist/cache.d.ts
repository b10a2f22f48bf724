/** Bodies of earlier GETs with their entity tags, the least recently used ones dropped first. */
export interface CachedBody {
    readonly etag: string;
    /** Parsed again for each caller, so that no caller can change what another one gets. */
    readonly text: string;
    readonly headers: Headers;
}
export interface ResponseCache {
    get(key: string): CachedBody | null;
    set(key: string, body: CachedBody): void;
}
export declare function createResponseCache(size: number): ResponseCache;
