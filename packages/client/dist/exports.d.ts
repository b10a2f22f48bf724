/** Export jobs: started, waited for, and downloaded as a stream. */
import type { Call } from './call.js';
import { type Runtime } from './runtime.js';
import { type Transport } from './transport.js';
import type { Job } from './types.js';
export interface WaitOptions {
    readonly signal?: AbortSignal | null | undefined;
    /** Called with the job after each poll. */
    readonly onProgress?: ((job: Job) => void) | undefined;
}
/** Polls until the job has ended, at the interval in Retry-After. A status that is not known yet counts as unfinished. */
export declare function waitForExport(id: string, poll: (id: string) => Call<Job>, { signal, onProgress }: WaitOptions, runtime: Runtime): Promise<Job>;
export interface DownloadOptions {
    readonly signal?: AbortSignal | null | undefined;
    /** Milliseconds for the response to begin, and then for each part of it; 30,000 unless given. */
    readonly timeout?: number | undefined;
    readonly retries?: number | undefined;
}
/**
 * Requests the file of a completed job, again if that fails before its first byte. The stream fails if it stops for longer than
 * `timeout` or ends before `size_bytes`; `result.sha256` is the hash of the bytes.
 * @throws ColophonError if the job is not completed.
 */
export declare function downloadExport({ status, result }: Job, { signal, timeout, retries }: DownloadOptions & {
    readonly timeout: number;
}, open: Transport['open'], runtime: Runtime): Promise<ReadableStream<Uint8Array>>;
