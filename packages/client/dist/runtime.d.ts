/** Provides the clock, the random numbers and the timers of the client, which a test can replace. */
/** The environment that the client runs in. */
export interface Runtime {
    /** Returns the time in milliseconds since 1970. */
    now(): number;
    /** Returns a random number from 0 up to, but not including, 1. */
    random(): number;
    /** Returns a random key, such as a UUID, that no other call has. */
    createUniqueKey(): string;
    /** Runs `run` after `ms` milliseconds; the returned function cancels that. */
    after(ms: number, run: () => void): () => void;
    /**
     * Whether this runs in a page, a worker in a browser or a mobile application, which may hold no secret, has its own HTTP cache,
     * and sends a User-Agent of its own.
     */
    readonly browser: boolean;
    /** The runtime's name in the User-Agent, such as `node/26`, or `unknown`. */
    readonly name: string;
}
/** Returns the runtime of this program; only `browser` and `name` are derived from `scope`. */
export declare function detectRuntime(scope: Scope): Runtime;
/** The globals that tell runtimes apart. */
export interface Scope {
    readonly Deno?: {
        readonly version?: {
            readonly deno?: unknown;
        };
    };
    readonly Bun?: {
        readonly version?: unknown;
    };
    readonly process?: {
        readonly version?: unknown;
    };
    readonly document?: unknown;
    readonly WorkerGlobalScope?: unknown;
    readonly EdgeRuntime?: unknown;
    readonly navigator?: {
        readonly userAgent?: unknown;
        readonly product?: unknown;
    };
}
/** Resolves after `ms` milliseconds; rejects with the signal's reason as soon as that aborts. */
export declare function wait(runtime: Runtime, ms: number, signal?: AbortSignal | null): Promise<void>;
