/** Sends the reads of one tick as one batch. Each caller gets its own result, and a failed read rejects only its own call. */
import type { Reply } from './call.js';
import type { Runtime } from './runtime.js';
import type { BatchResults } from './types.js';
/** The runtime, and the two requests by which reads are sent: one for a batch, one for a read that is alone. */
export interface BatchingOptions {
    readonly runtime: Runtime;
    /** Sends one batch. Each `path` is below the API root, such as `/faq?limit=5`; `signal` aborts once all callers have aborted. */
    batch(operations: readonly {
        readonly id: string;
        readonly method: 'GET';
        readonly path: string;
    }[], signal: AbortSignal): Promise<Reply<BatchResults>>;
    /** Sends a read that would be alone in its batch. `path` is as in `batch`; without a signal it cannot be aborted. */
    single(path: string, signal: AbortSignal | null): Promise<Reply<unknown>>;
}
/**
 * Reads a path below the API root, such as `/faq?limit=5`, in the batch of the current tick, and resolves with its own result.
 * Rejects with ApiError if the read failed, with the reason of `signal`, or with what the request of the whole batch rejects with.
 */
export type ReadInBatch = (path: string, signal: AbortSignal | null) => Promise<Reply<unknown>>;
/**
 * Creates the function that collects the reads of one tick and sends them as one batch, or as several if one has no room for all. A
 * path that is read twice is sent once, and a read that is alone in its batch is sent by `single`.
 */
export declare function createBatching({ runtime, batch, single }: BatchingOptions): ReadInBatch;
