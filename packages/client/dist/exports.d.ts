/** Export jobs: started, waited for, and downloaded as a stream. */
import type { Call } from './call.js';
import { type Runtime } from './runtime.js';
import type { Job } from './types.js';
export interface WaitOptions {
    readonly signal?: AbortSignal | null;
    /** Called with the job after each poll. */
    readonly onProgress?: (job: Job) => void;
}
/** Polls until the job has ended, at the interval in Retry-After. A status that is not known yet counts as unfinished. */
export declare function waitForExport(id: string, poll: (id: string) => Call<Job>, { signal, onProgress }: WaitOptions, runtime: Runtime): Promise<Job>;
/** The bytes of a completed job's file. The stream fails when it ends before `size_bytes`; `result.sha256` is theirs. */
export declare function downloadExport(job: Job, { signal }: {
    readonly signal?: AbortSignal | null;
}, fetcher: typeof fetch): Promise<ReadableStream<Uint8Array>>;
