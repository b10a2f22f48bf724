/** One request with its attempts: a time limit for each, retries for what may be repeated, and errors with a type. */
import { ApiError, ConnectionError, retryAfterSeconds, TimeoutError } from './errors.ts';
import { type Runtime, wait } from './runtime.ts';
import type { Problem } from './types.ts';

export interface HttpRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal | null;
  /** Milliseconds for each attempt, the body included. */
  readonly timeout?: number;
  /** Further attempts after the first. */
  readonly retries?: number;
}

export interface HttpResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly attempts: number;
}

export interface TransportOptions {
  readonly fetch: typeof fetch;
  readonly retries: number;
  readonly timeout: number;
  /** Milliseconds; a server that asks for a longer wait ends the attempts. */
  readonly maxRetryAfter: number;
  readonly runtime: Runtime;
  readonly onRequest?: ((request: RequestEvent) => void) | undefined;
}

/** Describes an attempt; `onRequest` receives it before the attempt is sent. */
export interface RequestEvent {
  readonly method: string;
  readonly url: string;
  /** Counted from 1. */
  readonly attempt: number;
}

/** Resolves with a 2xx or 304. Rejects with ApiError, ConnectionError or the caller's abort reason. */
export type Send = (request: HttpRequest) => Promise<HttpResponse>;

/** The statuses that the contract allows to be repeated; every other failure would only fail again. */
const repeatable: ReadonlySet<number> = new Set([429, 500, 502, 503, 504]);

export function createTransport(options: TransportOptions): Send {
  const { retries, runtime, maxRetryAfter, onRequest } = options;
  return async (request) => {
    const most = (request.retries ?? retries) + 1;
    for (let attempt = 1; ; attempt += 1) {
      onRequest?.({ method: request.method, url: request.url, attempt });
      let failure: ApiError | ConnectionError;
      let pause = backoff(attempt - 1, runtime.random());
      try {
        const { status, headers, text } = await attemptOnce(request, options);
        if (status < 300 || status === 304) return { status, headers, text, attempts: attempt };
        failure = new ApiError(problemOf(text, status), { status, headers, attempts: attempt });
        if (!repeatable.has(status)) throw failure;
        const asked = retryAfterSeconds(headers, runtime.now());
        if (asked !== null) {
          // A shorter wait than the server asked for would only be refused again.
          if (asked * 1000 > maxRetryAfter) throw failure;
          pause = asked * 1000 + 250 * runtime.random();
        }
      } catch (error) {
        if (!(error instanceof ConnectionError)) throw error;
        failure = error;
      }
      if (attempt >= most) throw failure;
      await wait(runtime, pause, request.signal);
    }
  };
}

/** Milliseconds: half a second, doubled each time up to eight, and half of it by chance, so that clients do not come back together. */
const backoff = (attempt: number, random: number): number => Math.min(8000, 500 * 2 ** attempt) * (0.5 + 0.5 * random);

async function attemptOnce(
  { method, url, headers, body, signal, timeout }: HttpRequest,
  options: TransportOptions,
): Promise<{ status: number; headers: Headers; text: string }> {
  return limited(signal, timeout ?? options.timeout, options.runtime, async (attemptSignal) => {
    const response = await options.fetch(url, {
      method,
      headers: { ...headers },
      redirect: 'follow',
      signal: attemptSignal,
      ...(body !== undefined && { body }),
    });
    return { status: response.status, headers: response.headers, text: await response.text() };
  });
}

/**
 * Runs `run` under one signal made of the caller's and a time limit. Failures are told apart by which of the two
 * fired; runtimes differ in the texts and codes of their errors.
 */
export async function limited<T>(
  signal: AbortSignal | null | undefined,
  timeout: number,
  runtime: Runtime,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  if (isAborted(signal)) throw signal?.reason;
  const controller = new AbortController();
  let timedOut = false;
  const stop = (): void => controller.abort(signal?.reason);
  signal?.addEventListener('abort', stop, { once: true });
  const cancel = runtime.after(timeout, () => {
    timedOut = true;
    controller.abort();
  });
  try {
    return await run(controller.signal);
  } catch (error) {
    if (isAborted(signal)) throw signal?.reason;
    if (timedOut) throw new TimeoutError(`No complete response within ${timeout} ms.`, { cause: error });
    throw new ConnectionError(`The request failed: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  } finally {
    cancel();
    signal?.removeEventListener('abort', stop);
  }
}

/** Checked again each time: a signal may abort while something is awaited. */
const isAborted = (signal: AbortSignal | null | undefined): boolean => signal?.aborted === true;

/** The problem document of a failure; what a proxy sent in its place becomes one with the code `unknown`. */
export function problemOf(text: string, status: number): Partial<Problem> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && 'code' in value) return value as Partial<Problem>;
  } catch {
    // Not JSON: a page of something in front of the server.
  }
  return { status, code: 'unknown', detail: text.slice(0, 500) || `The server answered with status ${status}.` };
}
