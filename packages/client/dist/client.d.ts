import { type Call } from './call.js';
import { type DownloadOptions, type WaitOptions } from './exports.js';
import { type Listing } from './pages.js';
import { type Runtime } from './runtime.js';
import { type Auth } from './tokens.js';
import { type RequestEvent, type ResponseEvent } from './transport.js';
import type * as types from './types.js';
/** Options of `createClient`; only `baseUrl` is required. */
export interface ClientOptions {
    /** The service's origin, such as `https://sotto.example`; the client adds `/api/v1`. */
    readonly baseUrl: string;
    /** Whether requests go to the sandbox, which has fixed data, its own rate limit, and needs no credential; false by default. */
    readonly sandbox?: boolean | undefined;
    /** The credentials of a registered client, or an access token; none by default. Exports need one of them; reads do not. */
    readonly auth?: Auth | undefined;
    /** Maximum number of retries of a request, after 429, 500, 502, 503, 504 or a ConnectionError; 2 by default. */
    readonly retries?: number | undefined;
    /** Timeout of each attempt in milliseconds; 30,000 by default. */
    readonly timeout?: number | undefined;
    /** The longest Retry-After that the client waits for, in milliseconds; a longer one fails the call at once. 60,000 by default. */
    readonly maxRetryAfter?: number | undefined;
    /** Number of bodies that are cached for conditional requests: 100 by default, and 0 in browsers, which have a cache. */
    readonly cache?: number | undefined;
    /**
     * Whether the reads of one tick are sent as one batch, except `index`, `request` and calls with CallOptions other than `signal`;
     * false by default.
     */
    readonly batch?: boolean | undefined;
    /** A product such as `my-app/1.0` that precedes the client's own User-Agent. Browsers do not send it. */
    readonly userAgent?: string | undefined;
    /** The function that sends requests; `globalThis.fetch` by default. */
    readonly fetch?: typeof fetch | undefined;
    /** Is called before each attempt. */
    readonly onRequest?: ((request: RequestEvent) => void) | undefined;
    /** Is called after each attempt, also after one without a response. */
    readonly onResponse?: ((response: ResponseEvent) => void) | undefined;
}
/** Options of a single call, which override those of the client. */
export interface CallOptions {
    /** Aborts the call, which rejects with the signal's reason. */
    readonly signal?: AbortSignal | null | undefined;
    /** Timeout of each attempt in milliseconds. */
    readonly timeout?: number | undefined;
    /** Maximum number of retries. */
    readonly retries?: number | undefined;
    /** Headers that are added to the request, or replace its own with the same name. */
    readonly headers?: Readonly<Record<string, string>> | undefined;
}
/** Options of a POST. */
export interface WriteOptions extends CallOptions {
    /** The Idempotency-Key: requests with one key have one effect. The client creates one for each call by default. */
    readonly idempotencyKey?: string | undefined;
}
/** Options of `request`; only a POST sends the Idempotency-Key. */
export interface RequestOptions extends WriteOptions {
    /** Parameters of the query, each as `String` writes it, so an array with commas; those that are undefined or null are left out. */
    readonly query?: object | undefined;
    /** The value of the JSON body; undefined sends no body. */
    readonly body?: unknown;
}
/**
 * The API: one method for each operation. A call rejects with ApiError if the server refuses it, such as `not_found` for an unknown
 * `version`, `slug` or `id`, and with ColophonError for one that cannot be part of a path, such as ''.
 */
export interface Client {
    /**
     * Requests any path below the API root, such as `/faq`, for an endpoint that is newer than this client. The data is the value of
     * the JSON body, undefined if the body is empty, or a text if `headers` ask for another media type and get it.
     */
    request<T>(method: string, path: string, options?: RequestOptions): Call<T>;
    /** Returns the index of the API: its resources, versions and limits. */
    index(options?: CallOptions): Call<types.ServiceIndex>;
    readonly releases: {
        list(params?: types.ListReleasesParams, options?: CallOptions): Listing<types.Release, types.ReleaseList>;
        /**
         * Returns the release that the updater would offer to any Mac, or to one with this OS version, processor and channel. Rejects
         * with ApiError `unprocessable` if no release runs there.
         */
        latest(params?: types.GetLatestReleaseParams, options?: CallOptions): Call<types.Release>;
        get(version: string, options?: CallOptions): Call<types.Release>;
    };
    readonly docs: {
        list(params?: types.ListDocsParams, options?: CallOptions): Listing<types.DocEntry, types.DocList>;
        get(slug: string, options?: CallOptions): Call<types.Doc>;
    };
    readonly faq: {
        list(params?: types.ListFaqParams, options?: CallOptions): Listing<types.Faq, types.FaqList>;
        get(id: string, options?: CallOptions): Call<types.Faq>;
    };
    readonly pricing: {
        get(options?: CallOptions): Call<types.Pricing>;
    };
    readonly features: {
        list(options?: CallOptions): Listing<types.Feature, types.FeatureList>;
    };
    readonly requirements: {
        get(options?: CallOptions): Call<types.Requirements>;
    };
    readonly compatibility: {
        check(params: types.CheckCompatibilityParams, options?: CallOptions): Call<types.Compatibility>;
    };
    search(params: types.SearchParams, options?: CallOptions): Listing<types.SearchResult, types.SearchResultList>;
    /**
     * Sends 1 to 20 reads in one request; the call rejects with ApiError for none and for more. The results are in the order of
     * `operations`, each with a status of its own: a read that fails does not reject the call.
     */
    batch(operations: types.BatchRequest['operations'], options?: WriteOptions): Call<types.BatchResults>;
    readonly exports: {
        start(request: types.StartExportRequest, options?: WriteOptions): Call<types.Job>;
        get(id: string, options?: CallOptions): Call<types.Job>;
        /** Polls a job, or the job with this ID, until it is completed, and returns it. Rejects with ExportError if it failed. */
        wait(job: types.Job | string, options?: WaitOptions): Promise<types.Job>;
        /**
         * Returns the completed job's file as a stream of its bytes, which fails if the file is cut off; its hash is not checked.
         * Rejects with ColophonError if the job is not completed.
         */
        download(job: types.Job, options?: DownloadOptions): Promise<ReadableStream<Uint8Array>>;
    };
    /** Registers a client (RFC 7591). Keep the secret: it is shown only in this response. */
    register(metadata: types.ClientMetadata, options?: WriteOptions): Call<types.ClientInformation>;
}
/** Creates a client, which requests nothing yet. Throws ColophonError for a `baseUrl` that is no origin, and in browsers for a secret. */
export declare const createClient: (options: ClientOptions) => Client;
/** Creates a client as `createClient` does, for this runtime; tests replace its clock and random numbers. */
export declare function composeClient(options: ClientOptions, runtime: Runtime): Client;
