/** Sends a request with a timeout for each attempt, retries what may be repeated, and throws typed errors. */
import { ApiError, ColophonError, ConnectionError, ResponseError, retryAfterSeconds, TimeoutError } from './errors.ts';
import { type Runtime, wait } from './runtime.ts';
import type { Problem } from './types.ts';

/** A request before its first attempt. Its timeout and retries are by default those of the transport. */
export interface HttpRequest {
  readonly method: string;
  /** The absolute URL. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  readonly signal?: AbortSignal | null | undefined;
  /** Timeout of each attempt in milliseconds, the body included. */
  readonly timeout?: number | undefined;
  /** Maximum number of retries. */
  readonly retries?: number | undefined;
  /** Whether a success may have an empty body, which is otherwise a ResponseError; false by default. */
  readonly acceptsEmpty?: boolean;
}

/** A response that was read completely. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: Headers;
  /** The body as it was received. */
  readonly text: string;
  /**
   * The value of the JSON body, a text if the request accepts other media types and gets one, or undefined after a 304 and for an
   * accepted empty body.
   */
  readonly body: unknown;
  /** How many times the request was sent. */
  readonly attempts: number;
}

/** Dependencies and defaults of `createTransport`. */
export interface TransportOptions {
  readonly fetch: typeof fetch;
  /** Maximum number of retries of a request that has no maximum of its own. */
  readonly retries: number;
  /** Timeout of each attempt in milliseconds, for a request that has none of its own. */
  readonly timeout: number;
  /** The longest Retry-After that is waited for, in milliseconds; a longer one ends the attempts. */
  readonly maxRetryAfter: number;
  readonly runtime: Runtime;
  readonly onRequest?: ((request: RequestEvent) => void) | undefined;
  readonly onResponse?: ((response: ResponseEvent) => void) | undefined;
}

/** Describes an attempt; `onRequest` receives it before the attempt is sent. */
export interface RequestEvent {
  readonly method: string;
  readonly url: string;
  /** The number of the attempt, from 1. */
  readonly attempt: number;
}

/** Describes the end of an attempt; `onResponse` receives it. */
export interface ResponseEvent extends RequestEvent {
  /** The status, or null if no response arrived. */
  readonly status: number | null;
  /** The server's id of the request, or null if the response has none. */
  readonly requestId: string | null;
  /** Duration in milliseconds from the start of the attempt to the end of the response, or to the headers of a file. */
  readonly duration: number;
}

/**
 * Sends a request and resolves with its 2xx or 304 response. Rejects with ApiError, ConnectionError, the caller's abort reason, or
 * what `onRequest` or `onResponse` throws.
 */
export type Send = (request: HttpRequest) => Promise<HttpResponse>;

/** The two ways to send a request: with its body read, or with the body as a stream. */
export interface Transport {
  /** Sends a request and reads the response. */
  readonly send: Send;
  /**
   * Sends a request and returns a successful response with its body unread. Rejects with ApiError, ConnectionError, the caller's
   * abort reason, or what `onRequest` or `onResponse` throws.
   */
  open(request: HttpRequest): Promise<Response>;
}

/** The statuses that the contract allows to be repeated; every other failure would only fail again. */
const repeatable: ReadonlySet<number> = new Set([429, 500, 502, 503, 504]);

/** Reads a successful response within the time limit of its attempt; `attempt` is the number of that attempt, from 1. */
type Read<T> = (response: Response, attempt: number) => Promise<T>;

/**
 * Creates the transport. It retries 429, 500, 502, 503, 504 and every ConnectionError, such as a timeout or a body that is not
 * JSON, for every method, after Retry-After or an exponential backoff; `retries: 0` in the request turns that off.
 */
export function createTransport(options: TransportOptions): Transport {
  const { runtime, maxRetryAfter } = options;

  async function repeat<T>(request: HttpRequest, read: Read<T>): Promise<T> {
    const maxAttempts = (request.retries ?? options.retries) + 1;
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await attemptOnce(request, attempt, options, read);
      } catch (error) {
        const isRepeatable =
          error instanceof ConnectionError || (error instanceof ApiError && repeatable.has(error.status));
        if (!isRepeatable || attempt >= maxAttempts) throw error;
        let pause = computeBackoff(attempt - 1, runtime.random());
        const seconds = error instanceof ApiError ? retryAfterSeconds(error.headers, runtime.now()) : null;
        if (seconds !== null) {
          // The server would refuse an earlier retry, so a Retry-After above `maxRetryAfter` ends the call.
          if (seconds * 1000 > maxRetryAfter) throw error;
          pause = seconds * 1000 + 250 * runtime.random();
        }
        await wait(runtime, pause, request.signal);
      }
    }
  }

  return {
    send: (request) => repeat(request, (response, attempt) => readResponse(request, response, attempt)),
    open: (request) => repeat(request, async (response) => response),
  };
}

/**
 * Returns the delay before a retry in milliseconds: half to all of a limit, which is 500 at first and doubles with each retry up to
 * 8,000. `random`, from 0 to 1, decides how much, so that clients do not retry together. `attempt` is 0 before the first retry.
 */
const computeBackoff = (attempt: number, random: number): number =>
  Math.min(8000, 500 * 2 ** attempt) * (0.5 + 0.5 * random);

async function attemptOnce<T>(
  request: HttpRequest,
  attempt: number,
  options: TransportOptions,
  read: Read<T>,
): Promise<T> {
  const { method, url, headers, body, signal } = request;
  const { runtime } = options;
  const event = { method, url, attempt };
  options.onRequest?.(event);
  const start = runtime.now();
  let response: Response | null = null;
  try {
    return await runWithin(signal, request.timeout ?? options.timeout, runtime, async (attemptSignal) => {
      response = await options.fetch(url, {
        method,
        headers: { ...headers },
        redirect: 'follow',
        signal: attemptSignal,
        ...(body !== undefined && { body }),
      });
      const { status } = response;
      if (status < 300 || status === 304) return read(response, attempt);
      const problem = parseProblem(await response.text(), status);
      throw new ApiError(problem, { status, headers: response.headers, attempts: attempt });
    });
  } finally {
    const { status = null, headers: received } = (response ?? {}) as Partial<Response>;
    const requestId = received?.get('x-request-id') ?? null;
    options.onResponse?.({ ...event, status, requestId, duration: runtime.now() - start });
  }
}

async function readResponse(request: HttpRequest, response: Response, attempts: number): Promise<HttpResponse> {
  const { status, headers } = response;
  const text = await response.text();
  const requestHeaders = new Headers(request.headers);
  const isUnchanged = status === 304 && requestHeaders.has('if-none-match');
  const isText =
    requestHeaders.get('accept') !== 'application/json' && !/\bjson\b/.test(headers.get('content-type') ?? '');
  const result = { status, headers, text, attempts };
  if (isUnchanged || (text === '' && request.acceptsEmpty === true)) return { ...result, body: undefined };
  if (isText) return { ...result, body: text };
  try {
    return { ...result, body: JSON.parse(text) };
  } catch (cause) {
    throw new ResponseError(text, result, { cause });
  }
}

/**
 * Runs `run` under one signal, which aborts with the caller's or after `timeout` milliseconds, and returns its result. Rejects with
 * the caller's reason, TimeoutError, a ColophonError of `run`, or else ConnectionError. The first two are told apart by what fired,
 * because runtimes differ in the texts and codes of their errors.
 */
export async function runWithin<T>(
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
    if (error instanceof ColophonError) throw error;
    throw new ConnectionError(`The request failed: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  } finally {
    cancel();
    signal?.removeEventListener('abort', stop);
  }
}

/** Returns whether a signal has aborted. It is a function because TypeScript would keep the value from before an `await`. */
const isAborted = (signal: AbortSignal | null | undefined): boolean => signal?.aborted === true;

/** Returns the problem document of a failure; any other text, such as a proxy's page, becomes one with the code `unknown`. */
function parseProblem(text: string, status: number): Partial<Problem> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && 'code' in value) return value as Partial<Problem>;
  } catch {
    // A body that is not JSON was sent by a proxy in front of the server.
  }
  return { status, code: 'unknown', detail: text.slice(0, 500) || `The server answered with status ${status}.` };
}
