/** Defines the errors of a call: `ApiError` for the API's problem documents, `ConnectionError` for a call without a response. */
import type { Problem, ProblemCode } from './types.ts';

/** The base of every error of the client. */
export class ColophonError extends Error {
  override name: string = 'ColophonError';
  /** Two installed copies of this package have different classes; `kind` is the same in both. */
  readonly kind: string = 'colophon:error';
}

/** The response that an error describes. */
export interface ErrorResponse {
  readonly status: number;
  readonly headers: Headers;
  /** How many times the request was sent. */
  readonly attempts: number;
}

/** The server returned an error. Branch on `code`; treat one you do not know as its `status`. */
export class ApiError extends ColophonError {
  override name: string = 'ApiError';
  override readonly kind: string = 'colophon:api';
  readonly status: number;
  /** The problem code, or `unknown` if something other than the API sent the response. */
  readonly code: string;
  /** The class of error in words; empty if the response has none. */
  readonly title: string;
  /** Names this case and the next step; equals `message`. */
  readonly detail: string;
  /** The server's ID of the request, or null if the response has none. */
  readonly requestId: string | null;
  /** The URL of the reference of this code, or null if the response has none. */
  readonly docsUrl: string | null;
  /** The invalid parameters or fields; empty unless the request failed validation. */
  readonly errors: NonNullable<Problem['errors']>;
  /** Values that the caller may have meant, such as slugs; empty if the response has none. */
  readonly suggestions: readonly string[];
  /** Seconds to wait before another attempt, or null if the server named none. */
  readonly retryAfter: number | null;
  /** The whole document, with fields that this version does not know. */
  readonly problem: Partial<Problem>;
  readonly headers: Headers;
  readonly attempts: number;

  constructor(problem: Partial<Problem>, { status, headers, attempts }: ErrorResponse) {
    const detail = problem.detail ?? `The server answered with status ${status}.`;
    super(detail);
    this.status = status;
    this.code = problem.code ?? 'unknown';
    this.title = problem.title ?? '';
    this.detail = detail;
    this.requestId = problem.request_id ?? headers.get('x-request-id');
    this.docsUrl = problem.docs_url ?? null;
    this.errors = problem.errors ?? [];
    this.suggestions = problem.suggestions ?? [];
    this.retryAfter = retryAfterSeconds(headers) ?? problem.retry_after ?? null;
    this.problem = problem;
    this.headers = headers;
    this.attempts = attempts;
  }
}

/**
 * No usable response arrived: none at all, one that was cut off, or one that the server did not send. `cause` is what the runtime
 * threw, and absent if the client noticed the fault itself.
 */
export class ConnectionError extends ColophonError {
  override name: string = 'ConnectionError';
  override readonly kind: string = 'colophon:connection';
}

/** A ConnectionError for a request that got no complete response within `timeout`. */
export class TimeoutError extends ConnectionError {
  override name: string = 'TimeoutError';
  override readonly kind: string = 'colophon:timeout';
}

/**
 * A ConnectionError for a success whose body is not the API's: a proxy's page, an empty body, or JSON that was cut off. `cause` is
 * always the parser's error.
 */
export class ResponseError extends ConnectionError {
  override name: string = 'ResponseError';
  override readonly kind: string = 'colophon:response';
  readonly status: number;
  readonly headers: Headers;
  /** The server's ID of the request, or null if the response has none. */
  readonly requestId: string | null;
  readonly attempts: number;
  /** The first 500 characters of the body. */
  readonly body: string;

  constructor(text: string, { status, headers, attempts }: ErrorResponse, options?: ErrorOptions) {
    const type = headers.get('content-type') ?? 'no media type';
    super(
      `The response with status ${status} is not JSON (${type}). Something between here and the server sent or cut it.`,
      options,
    );
    this.status = status;
    this.headers = headers;
    this.requestId = headers.get('x-request-id');
    this.attempts = attempts;
    this.body = text.slice(0, 500);
  }
}

/** An export job ended as `failed`; `problem` says why, and is an empty object if the job has no reason. */
export class ExportError extends ColophonError {
  override name: string = 'ExportError';
  override readonly kind: string = 'colophon:export';
  readonly problem: Partial<Problem>;

  constructor(problem: Partial<Problem>) {
    super(problem.detail ?? 'The export failed.');
    this.problem = problem;
  }
}

/** Returns whether an error is an ApiError of this or another installed copy of the package. */
export function isApiError(error: unknown): error is ApiError {
  return error instanceof Error && Reflect.get(error, 'kind') === 'colophon:api';
}

/** Returns whether an error is an ApiError with this code. Any string is accepted, because later versions of the API add codes. */
export function isCode<C extends ProblemCode | (string & {})>(
  error: unknown,
  code: C,
): error is ApiError & { readonly code: C } {
  return isApiError(error) && error.code === code;
}

/**
 * Returns `Retry-After` (RFC 9110 section 10.2.3) in whole seconds, at least 0, from a number, which is rounded up, or any date with
 * letters that `Date.parse` reads, or null if it is missing or neither. `now` is in milliseconds since 1970.
 */
export function retryAfterSeconds(headers: Headers, now: number = Date.now()): number | null {
  const text = headers.get('retry-after')?.trim() ?? '';
  const isNumber = /^-?\d+(\.\d+)?$/.test(text);
  // A date has letters; without this check, some runtimes read `1/5` as the fifth of January.
  if (!isNumber && !/[a-z]/i.test(text)) return null;
  const seconds = Math.ceil(isNumber ? Number(text) : (Date.parse(text) - now) / 1000);
  return Number.isNaN(seconds) ? null : Math.max(0, seconds);
}
