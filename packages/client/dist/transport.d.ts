import { type Runtime } from './runtime.js';
/** A request before its first attempt. Its timeout and retries are by default those of the transport. */
export interface HttpRequest {
    readonly method: string;
    /** The absolute URL. */
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: string | undefined;
    readonly signal?: AbortSignal | null | undefined;
    /** Timeout of each attempt in milliseconds, the body included. */
    readonly timeout?: number | undefined;
    /** Maximum number of retries. */
    readonly retries?: number | undefined;
    /** Whether a success may have an empty body, which is otherwise a ResponseError; false by default. */
    readonly acceptsEmpty?: boolean;
}
/** A response that was read completely. */
export interface HttpResponse {
    readonly status: number;
    readonly headers: Headers;
    /** The body as it was received. */
    readonly text: string;
    /**
     * The value of the JSON body, a text if the request accepts other media types and gets one, or undefined after a 304 and for an
     * accepted empty body.
     */
    readonly body: unknown;
    /** How many times the request was sent. */
    readonly attempts: number;
}
/** Dependencies and defaults of `createTransport`. */
export interface TransportOptions {
    readonly fetch: typeof fetch;
    /** Maximum number of retries of a request that has no maximum of its own. */
    readonly retries: number;
    /** Timeout of each attempt in milliseconds, for a request that has none of its own. */
    readonly timeout: number;
    /** The longest Retry-After that is waited for, in milliseconds; a longer one ends the attempts. */
    readonly maxRetryAfter: number;
    readonly runtime: Runtime;
    readonly onRequest?: ((request: RequestEvent) => void) | undefined;
    readonly onResponse?: ((response: ResponseEvent) => void) | undefined;
}
/** Describes an attempt; `onRequest` receives it before the attempt is sent. */
export interface RequestEvent {
    readonly method: string;
    readonly url: string;
    /** The number of the attempt, from 1. */
    readonly attempt: number;
}
/** Describes the end of an attempt; `onResponse` receives it. */
export interface ResponseEvent extends RequestEvent {
    /** The status, or null if no response arrived. */
    readonly status: number | null;
    /** The server's id of the request, or null if the response has none. */
    readonly requestId: string | null;
    /** Duration in milliseconds from the start of the attempt to the end of the response, or to the headers of a file. */
    readonly duration: number;
}
/**
 * Sends a request and resolves with its 2xx or 304 response. Rejects with ApiError, ConnectionError, the caller's abort reason, or
 * what `onRequest` or `onResponse` throws.
 */
export type Send = (request: HttpRequest) => Promise<HttpResponse>;
/** The two ways to send a request: with its body read, or with the body as a stream. */
export interface Transport {
    /** Sends a request and reads the response. */
    readonly send: Send;
    /**
     * Sends a request and returns a successful response with its body unread. Rejects with ApiError, ConnectionError, the caller's
     * abort reason, or what `onRequest` or `onResponse` throws.
     */
    open(request: HttpRequest): Promise<Response>;
}
/**
 * Creates the transport. It retries 429, 500, 502, 503, 504 and every ConnectionError, such as a timeout or a body that is not
 * JSON, for every method, after Retry-After or an exponential backoff; `retries: 0` in the request turns that off.
 */
export declare function createTransport(options: TransportOptions): Transport;
/**
 * Runs `run` under one signal, which aborts with the caller's or after `timeout` milliseconds, and returns its result. Rejects with
 * the caller's reason, TimeoutError, a ColophonError of `run`, or else ConnectionError. The first two are told apart by what fired,
 * because runtimes differ in the texts and codes of their errors.
 */
export declare function runWithin<T>(signal: AbortSignal | null | undefined, timeout: number, runtime: Runtime, run: (signal: AbortSignal) => Promise<T>): Promise<T>;
