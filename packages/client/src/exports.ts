/** Waits for export jobs, and downloads their files as streams. */
import type { Call, Reply } from './call.ts';
import { ColophonError, ConnectionError, ExportError, retryAfterSeconds } from './errors.ts';
import { type Runtime, wait } from './runtime.ts';
import { runWithin, type Transport } from './transport.ts';
import type { Job } from './types.ts';

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
export async function downloadExport(
  { status, result }: Job,
  { signal, timeout, retries }: DownloadOptions & { readonly timeout: number },
  open: Transport['open'],
  runtime: Runtime,
): Promise<ReadableStream<Uint8Array>> {
  if (result === undefined) throw new ColophonError(`The export is ${status}: wait for it before you download it.`);
  // The file is public, so it is requested without the token, which belongs to the API's origin only.
  const { body } = await open({ method: 'GET', url: result.url, headers: {}, signal, timeout, retries });
  if (body === null) throw new ConnectionError('The export file has no body.');
  const reader = body.getReader();
  const release = (): void => void reader.cancel().catch(() => {});
  signal?.addEventListener('abort', release, { once: true });
  let receivedBytes = 0;
  return new ReadableStream({
    async pull(stream) {
      const { done, value } = await runWithin(signal, timeout, runtime, async (limit) => {
        limit.addEventListener('abort', release, { once: true });
        const part = await reader.read();
        // After `release`, the stream ends as if it were complete, so an aborted read throws here.
        if (limit.aborted) throw limit.reason;
        return part;
      });
      receivedBytes += value?.byteLength ?? 0;
      if (value !== undefined) stream.enqueue(value);
      if (!done) return;
      signal?.removeEventListener('abort', release);
      if (receivedBytes === result.size_bytes) stream.close();
      else throw new ConnectionError(`The export file ended after ${receivedBytes} of ${result.size_bytes} bytes.`);
    },
    cancel: release,
  });
}
