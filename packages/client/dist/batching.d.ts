/** Sends the reads of one tick as one batch. Each caller gets its own result, and a failed read rejects only its own call. */
import type { Reply } from './call.js';
import type { Runtime } from './runtime.js';
import type { BatchResults } from './types.js';
/** The runtime, and the two requests by which reads are sent: one for a batch, one for a read that is alone. */
export interface BatchingOptions {
    readonly runtime: Runtime;
    /** Sends one batch; its signal aborts when all of its callers have. */
    batch(operations: readonly {
        readonly id: string;
        readonly method: 'GET';
        readonly path: string;
    }[], signal: AbortSignal): Promise<Reply<BatchResults>>;
    /** Sends the read of a tick that has no other read. */
    single(path: string, signal: AbortSignal | null): Promise<Reply<unknown>>;
}
/** Reads a path in the batch of the current tick. Rejects with ApiError, ConnectionError or the reason of `signal`. */
export type ReadInBatch = (path: string, signal: AbortSignal | null) => Promise<Reply<unknown>>;
/** Creates the function that collects the reads of one tick and sends them as one batch. */
export declare function createBatching({ runtime, batch, single }: BatchingOptions): ReadInBatch;
