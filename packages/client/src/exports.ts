/** Export jobs: started, waited for, and downloaded as a stream. */
import type { Call, Reply } from './call.ts';
import { ColophonError, ConnectionError, ExportError, retryAfterSeconds } from './errors.ts';
import { type Runtime, wait } from './runtime.ts';
import type { Job } from './types.ts';

export interface WaitOptions {
  readonly signal?: AbortSignal | null;
  /** Called with the job after each poll. */
  readonly onProgress?: (job: Job) => void;
}

/** Polls until the job has ended, at the interval in Retry-After. A status that is not known yet counts as unfinished. */
export async function waitForExport(
  id: string,
  poll: (id: string) => Call<Job>,
  { signal, onProgress }: WaitOptions,
  runtime: Runtime,
): Promise<Job> {
  for (;;) {
    const { data: job, headers }: Reply<Job> = await poll(id).withResponse();
    onProgress?.(job);
    if (job.status === 'completed') return job;
    if (job.status === 'failed') throw new ExportError(job.error ?? {});
    await wait(runtime, (retryAfterSeconds(headers, runtime.now()) ?? 1) * 1000, signal);
  }
}

/** The bytes of a completed job's file. The stream fails when it ends before `size_bytes`; `result.sha256` is theirs. */
export async function downloadExport(
  job: Job,
  { signal }: { readonly signal?: AbortSignal | null },
  fetcher: typeof fetch,
): Promise<ReadableStream<Uint8Array>> {
  const { result } = job;
  if (result === undefined) throw new ColophonError(`The export is ${job.status}: wait for it before you download it.`);
  let response: Response;
  try {
    // The file is public. It is fetched without the token, which belongs to the API's origin only.
    response = await fetcher(result.url, { ...(signal !== undefined && { signal }) });
  } catch (error) {
    if (signal?.aborted === true) throw signal.reason;
    throw new ConnectionError('The export file could not be requested.', { cause: error });
  }
  if (!response.ok || response.body === null) {
    await response.body?.cancel().catch(() => {});
    throw new ColophonError(`The export file is unavailable: the server answered with status ${response.status}.`);
  }
  let received = 0;
  return response.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        received += chunk.byteLength;
        controller.enqueue(chunk);
      },
      flush(controller) {
        if (received === result.size_bytes) return;
        controller.error(new ConnectionError(`The export file ended after ${received} of ${result.size_bytes} bytes.`));
      },
    }),
  );
}
