/** Sends the reads of one tick as one batch. Each caller gets its own result, and a failed read rejects only its own call. */
import type { Reply } from './call.ts';
import { ApiError } from './errors.ts';
import type { Runtime } from './runtime.ts';
import type { BatchResults, Problem } from './types.ts';

/** Maximum number of operations in one batch, by the contract. */
const maxOperations = 20;
/** Maximum size of a batch in bytes; the contract allows 65,536, and the rest is left for the JSON around the paths. */
const maxBytes = 60_000;

interface Waiting {
  readonly path: string;
  readonly signal: AbortSignal | null;
  resolve(reply: Reply<unknown>): void;
  reject(reason: unknown): void;
}

/** The runtime, and the two requests by which reads are sent: one for a batch, one for a read that is alone. */
export interface BatchingOptions {
  readonly runtime: Runtime;
  /** Sends one batch. Each `path` is below the API root, such as `/faq?limit=5`; `signal` aborts once all callers have aborted. */
  batch(
    operations: readonly { readonly id: string; readonly method: 'GET'; readonly path: string }[],
    signal: AbortSignal,
  ): Promise<Reply<BatchResults>>;
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
export function createBatching({ runtime, batch, single }: BatchingOptions): ReadInBatch {
  let queue: Waiting[] = [];

  const flush = (): void => {
    const all = queue;
    queue = [];
    for (const group of splitIntoGroups(all)) void sendGroup(group);
  };

  const sendGroup = async (group: readonly Waiting[]): Promise<void> => {
    const paths = [...new Set(group.map(({ path }) => path))];
    const [only] = group;
    if (only !== undefined && group.length === 1) {
      return single(only.path, only.signal).then(only.resolve, only.reject);
    }
    const sharedSignal = shareSignals(group);
    try {
      const operations = paths.map((path, index) => ({ id: String(index), method: 'GET' as const, path }));
      const reply = await batch(operations, sharedSignal.signal);
      const results = new Map(reply.data.results.map((result) => [result.id, result]));
      const { attempts } = reply;
      const headers = new Headers(reply.headers);
      // The entity tag is that of the whole batch, so no single read can be revalidated with it.
      headers.delete('etag');
      for (const waiting of group) {
        const result = results.get(String(paths.indexOf(waiting.path)));
        if (result !== undefined && result.status < 300) {
          waiting.resolve({
            data: structuredClone(result.body),
            status: result.status,
            headers,
            fromCache: false,
            attempts,
          });
        } else {
          const problem = (result?.body ?? { detail: 'The batch has no result for this read.' }) as Partial<Problem>;
          waiting.reject(new ApiError(problem, { status: result?.status ?? 500, headers, attempts }));
        }
      }
    } catch (error) {
      for (const waiting of group) waiting.reject(error);
    } finally {
      sharedSignal.release();
    }
  };

  return (path, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted === true) return reject(signal.reason);
      const stop = (): void => reject(signal?.reason);
      signal?.addEventListener('abort', stop, { once: true });
      const settle =
        <A>(run: (value: A) => void) =>
        (value: A): void => {
          signal?.removeEventListener('abort', stop);
          run(value);
        };
      if (queue.length === 0) runtime.after(0, flush);
      queue.push({ path, signal, resolve: settle(resolve), reject: settle(reject) });
    });
}

/**
 * Splits reads into batches of at most `maxOperations` different paths and `maxBytes`, in the order of the calls. Aborted reads are
 * left out; a path that is too long has a batch of its own.
 */
function splitIntoGroups(all: readonly Waiting[]): Waiting[][] {
  const groups: Waiting[][] = [];
  let paths = new Set<string>();
  let bytes = 0;
  for (const waiting of all) {
    if (waiting.signal?.aborted === true) continue;
    const size = waiting.path.length * 3 + 60;
    const group = groups.at(-1);
    const fits = paths.has(waiting.path) || (paths.size < maxOperations && bytes + size <= maxBytes);
    if (group !== undefined && fits) group.push(waiting);
    else {
      groups.push([waiting]);
      paths = new Set();
      bytes = 0;
    }
    if (!paths.has(waiting.path)) bytes += size;
    paths.add(waiting.path);
  }
  return groups;
}

/** Creates a signal that aborts once the signals of all reads have, and never if a read has none; `release` removes its listeners. */
function shareSignals(group: readonly Waiting[]): { signal: AbortSignal; release(): void } {
  const controller = new AbortController();
  const check = (): void => {
    if (group.every(({ signal }) => signal?.aborted === true)) controller.abort();
  };
  for (const { signal } of group) signal?.addEventListener('abort', check, { once: true });
  return {
    signal: controller.signal,
    release: () => {
      for (const { signal } of group) signal?.removeEventListener('abort', check);
    },
  };
}
