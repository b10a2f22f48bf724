import { type Call } from './call.js';
import { type DownloadOptions, type WaitOptions } from './exports.js';
import { type Listing } from './pages.js';
import { type Runtime } from './runtime.js';
import { type Auth } from './tokens.js';
import { type RequestEvent, type ResponseEvent } from './transport.js';
import type * as types from './types.js';
export interface ClientOptions {
    /** The service's origin, such as `https://sotto.example`; the client adds `/api/v1`. */
    readonly baseUrl: string;
    /** Talk to the sandbox: fixed data, its own rate limit, no credential required. */
    readonly sandbox?: boolean | undefined;
    /** A registered client, or a token from elsewhere. Reads need neither; exports do. */
    readonly auth?: Auth | undefined;
    /** Further attempts for what may be repeated; 2 unless given. */
    readonly retries?: number | undefined;
    /** Milliseconds for each attempt; 30,000 unless given. */
    readonly timeout?: number | undefined;
    /** Milliseconds; when Retry-After is longer, the call fails at once. 60,000 unless given. */
    readonly maxRetryAfter?: number | undefined;
    /** How many bodies to keep for conditional requests: 100, in browsers 0, because they have a cache. */
    readonly cache?: number | undefined;
    /** Send reads that are made in the same tick as one batch. */
    readonly batch?: boolean | undefined;
    /** Put in front of the client's own User-Agent, such as `my-app/1.0`. Not sent by browsers. */
    readonly userAgent?: string | undefined;
    readonly fetch?: typeof fetch | undefined;
    /** Called before each attempt. */
    readonly onRequest?: ((request: RequestEvent) => void) | undefined;
    /** Called after each attempt, also after one without a response. */
    readonly onResponse?: ((response: ResponseEvent) => void) | undefined;
}
export interface CallOptions {
    readonly signal?: AbortSignal | null | undefined;
    /** Milliseconds for each attempt. */
    readonly timeout?: number | undefined;
    readonly retries?: number | undefined;
    readonly headers?: Readonly<Record<string, string>> | undefined;
}
export interface WriteOptions extends CallOptions {
    /** Repeats of one key have one effect; the client makes a new one for each call unless given. */
    readonly idempotencyKey?: string | undefined;
}
export interface RequestOptions extends WriteOptions {
    readonly query?: object | undefined;
    readonly body?: unknown;
}
export interface Client {
    /** Any path below the API root, for an endpoint that is newer than this client. */
    request<T>(method: string, path: string, options?: RequestOptions): Call<T>;
    index(options?: CallOptions): Call<types.ServiceIndex>;
    readonly releases: {
        list(params?: types.ListReleasesParams, options?: CallOptions): Listing<types.Release, types.ReleaseList>;
        /** Returns the release that the updater would offer to any Mac, or to one with this OS version, processor and channel. */
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
    /** Up to 20 reads in one request; judge each result by its own status. */
    batch(operations: types.BatchRequest['operations'], options?: WriteOptions): Call<types.BatchResults>;
    readonly exports: {
        start(request: types.StartExportRequest, options?: WriteOptions): Call<types.Job>;
        get(id: string, options?: CallOptions): Call<types.Job>;
        /** Polls until the job is completed. Rejects with ExportError when it failed. */
        wait(job: types.Job | string, options?: WaitOptions): Promise<types.Job>;
        /** Returns the completed job's file as a stream. */
        download(job: types.Job, options?: DownloadOptions): Promise<ReadableStream<Uint8Array>>;
    };
    /** Registers a client (RFC 7591). Keep the secret: it is shown only in this response. */
    register(metadata: types.ClientMetadata, options?: WriteOptions): Call<types.ClientInformation>;
}
/** Creates a client, which requests nothing yet. Throws ColophonError for options that cannot work. */
export declare const createClient: (options: ClientOptions) => Client;
/** `createClient` with its surroundings as an argument, for tests. */
export declare function composeClient(options: ClientOptions, runtime: Runtime): Client;
