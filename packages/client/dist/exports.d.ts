/** Waits for export jobs, and downloads their files as streams. */
import type { Call } from './call.js';
import { type Runtime } from './runtime.js';
import { type Transport } from './transport.js';
import type { Job } from './types.js';
/** Options of `exports.wait`. */
export interface WaitOptions {
    /** Ends the polling; the promise rejects with the signal's reason. */
    readonly signal?: AbortSignal | null | undefined;
    /** Is called with the job after each poll. */
    readonly onProgress?: ((job: Job) => void) | undefined;
}
/**
 * Polls until the job has ended, the first time at once, and returns it if it is completed. Waits between polls as long as
 * Retry-After says, or one second without it; an unknown status counts as unfinished. Rejects with ExportError if the job failed,
 * with the reason of `signal`, or with what `poll` rejects with or `onProgress` throws.
 */
export declare function waitForExport(id: string, poll: (id: string) => Call<Job>, { signal, onProgress }: WaitOptions, runtime: Runtime): Promise<Job>;
/** Options of `exports.download`. */
export interface DownloadOptions {
    /** Ends the download; the stream fails with the signal's reason. */
    readonly signal?: AbortSignal | null | undefined;
    /** Timeout for the response to begin, and then for each part of it, in milliseconds; by default the client's. */
    readonly timeout?: number | undefined;
    /** Maximum number of retries until the response begins; by default the client's. */
    readonly retries?: number | undefined;
}
/**
 * Requests the file of a completed job, with retries until the response begins, and returns its bytes as a stream; `result.sha256`,
 * their hash, is not checked. The stream fails with ConnectionError if it is cut off, stops for longer than `timeout` milliseconds
 * or does not have `size_bytes` bytes, and with the reason of `signal` once that aborts.
 * @throws ColophonError if the job is not completed, or what `open` rejects with.
 */
export declare function downloadExport({ status, result }: Job, { signal, timeout, retries }: DownloadOptions & {
    readonly timeout: number;
}, open: Transport['open'], runtime: Runtime): Promise<ReadableStream<Uint8Array>>;
