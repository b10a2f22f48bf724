import { type Runtime } from './runtime.js';
import type { Problem } from './types.js';
export interface HttpRequest {
    readonly method: string;
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: string;
    readonly signal?: AbortSignal | null;
    /** Milliseconds for each attempt, the body included. */
    readonly timeout?: number;
    /** Further attempts after the first. */
    readonly retries?: number;
}
export interface HttpResponse {
    readonly status: number;
    readonly headers: Headers;
    readonly text: string;
    readonly attempts: number;
}
export interface TransportOptions {
    readonly fetch: typeof fetch;
    readonly retries: number;
    readonly timeout: number;
    /** Milliseconds; a server that asks for a longer wait ends the attempts. */
    readonly maxRetryAfter: number;
    readonly runtime: Runtime;
    readonly onRequest?: ((request: RequestEvent) => void) | undefined;
}
/** Describes an attempt; `onRequest` receives it before the attempt is sent. */
export interface RequestEvent {
    readonly method: string;
    readonly url: string;
    /** Counted from 1. */
    readonly attempt: number;
}
/** Resolves with a 2xx or 304. Rejects with ApiError, ConnectionError or the caller's abort reason. */
export type Send = (request: HttpRequest) => Promise<HttpResponse>;
export declare function createTransport(options: TransportOptions): Send;
/**
 * Runs `run` under one signal made of the caller's and a time limit. Failures are told apart by which of the two
 * fired; runtimes differ in the texts and codes of their errors.
 */
export declare function limited<T>(signal: AbortSignal | null | undefined, timeout: number, runtime: Runtime, run: (signal: AbortSignal) => Promise<T>): Promise<T>;
/** The problem document of a failure; what a proxy sent in its place becomes one with the code `unknown`. */
export declare function problemOf(text: string, status: number): Partial<Problem>;
