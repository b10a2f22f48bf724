/** Defines the errors of a call: `ApiError` for the API's problem documents, `ConnectionError` for a call without a response. */
import type { Problem, ProblemCode } from './types.js';
/** The base of every error of the client. */
export declare class ColophonError extends Error {
    name: string;
    /** Two installed copies of this package have different classes; `kind` is the same in both. */
    readonly kind: string;
}
/** The response that an error describes. */
export interface ErrorResponse {
    readonly status: number;
    readonly headers: Headers;
    /** How many times the request was sent. */
    readonly attempts: number;
}
/** The server returned an error. Branch on `code`; treat one you do not know as its `status`. */
export declare class ApiError extends ColophonError {
    name: string;
    readonly kind: string;
    readonly status: number;
    /** The problem code, or `unknown` if something other than the API sent the response. */
    readonly code: string;
    /** The class of error in words; empty if the response has none. */
    readonly title: string;
    /** Names this case and the next step; equals `message`. */
    readonly detail: string;
    /** The server's ID of the request, or null if the response has none. */
    readonly requestId: string | null;
    /** The URL of the reference of this code, or null if the response has none. */
    readonly docsUrl: string | null;
    /** The invalid parameters or fields; empty unless the request failed validation. */
    readonly errors: NonNullable<Problem['errors']>;
    /** Values that the caller may have meant, such as slugs; empty if the response has none. */
    readonly suggestions: readonly string[];
    /** Seconds to wait before another attempt, or null if the server named none. */
    readonly retryAfter: number | null;
    /** The whole document, with fields that this version does not know. */
    readonly problem: Partial<Problem>;
    readonly headers: Headers;
    readonly attempts: number;
    constructor(problem: Partial<Problem>, { status, headers, attempts }: ErrorResponse);
}
/**
 * No usable response arrived: none at all, one that was cut off, or one that the server did not send. `cause` is what the runtime
 * threw, and absent if the client noticed the fault itself.
 */
export declare class ConnectionError extends ColophonError {
    name: string;
    readonly kind: string;
}
/** A ConnectionError for a request that got no complete response within `timeout`. */
export declare class TimeoutError extends ConnectionError {
    name: string;
    readonly kind: string;
}
/**
 * A ConnectionError for a success whose body is not the API's: a proxy's page, an empty body, or JSON that was cut off. `cause` is
 * always the parser's error.
 */
export declare class ResponseError extends ConnectionError {
    name: string;
    readonly kind: string;
    readonly status: number;
    readonly headers: Headers;
    /** The server's ID of the request, or null if the response has none. */
    readonly requestId: string | null;
    readonly attempts: number;
    /** The first 500 characters of the body. */
    readonly body: string;
    constructor(text: string, { status, headers, attempts }: ErrorResponse, options?: ErrorOptions);
}
/** An export job ended as `failed`; `problem` says why, and is an empty object if the job has no reason. */
export declare class ExportError extends ColophonError {
    name: string;
    readonly kind: string;
    readonly problem: Partial<Problem>;
    constructor(problem: Partial<Problem>);
}
/** Returns whether an error is an ApiError of this or another installed copy of the package. */
export declare function isApiError(error: unknown): error is ApiError;
/** Returns whether an error is an ApiError with this code. Any string is accepted, because later versions of the API add codes. */
export declare function isCode<C extends ProblemCode | (string & {})>(error: unknown, code: C): error is ApiError & {
    readonly code: C;
};
/**
 * Returns `Retry-After` (RFC 9110 section 10.2.3) in whole seconds, at least 0, from a number, which is rounded up, or any date with
 * letters that `Date.parse` reads, or null if it is missing or neither. `now` is in milliseconds since 1970.
 */
export declare function retryAfterSeconds(headers: Headers, now?: number): number | null;
