/** Reads that are made in the same tick, sent as one batch: each gets its own result, and a failure is its caller's only. */
import type { Reply } from './call.js';
import type { Runtime } from './runtime.js';
import type { BatchResults } from './types.js';
export interface BatchingOptions {
    readonly runtime: Runtime;
    /** Sends one batch; its signal aborts when all of its callers have. */
    batch(operations: readonly {
        readonly id: string;
        readonly method: 'GET';
        readonly path: string;
    }[], signal: AbortSignal): Promise<Reply<BatchResults>>;
    /** Sends a read that has no company. */
    single(path: string, signal: AbortSignal | null): Promise<Reply<unknown>>;
}
export type ReadInBatch = (path: string, signal: AbortSignal | null) => Promise<Reply<unknown>>;
export declare function createBatching({ runtime, batch, single }: BatchingOptions): ReadInBatch;
