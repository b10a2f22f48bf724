/** The one expected failure: a code from the closed table, a sentence that names the fix, and the details that go with it. */
import { type Code, problemCodes } from './problem-codes.ts';

/** One offending parameter, as it stands in a problem document's `errors`. */
export interface FieldError {
  /** A query parameter's name, or the path of a body field such as `operations[2].path`. */
  field: string;
  /** `required`, `out_of_range`, `malformed`, `invalid_value`, `repeated`, `too_short`, `too_long` or `unknown`. */
  code: string;
  detail: string;
}

export interface ApiErrorOptions {
  /** What to do next, in REST's terms: a sentence after the detail. Another protocol says it in its own terms. */
  next?: string;
  /** Only on validation failures. */
  errors?: FieldError[];
  /** Near misses, best first. */
  suggestions?: string[];
  /** Whole seconds, at least 1; becomes Retry-After and `retry_after`. */
  retryAfter?: number;
  /** Response headers that belong to the failure, such as Allow or WWW-Authenticate. */
  headers?: Record<string, string>;
  /** Additional fields of the problem document (RFC 9457 section 3.2). */
  members?: Record<string, unknown>;
  /** Logged, never sent. */
  cause?: unknown;
}

export class ApiError extends Error {
  readonly code: Code;
  readonly status: number;
  /** The detail without `options.next`, which the message has. */
  readonly reason: string;
  readonly options: ApiErrorOptions;

  /** `detail` names this case and the next step. */
  constructor(code: Code, detail: string, options: ApiErrorOptions = {}) {
    super(
      options.next === undefined ? detail : `${detail} ${options.next}`,
      options.cause === undefined ? {} : { cause: options.cause },
    );
    this.name = 'ApiError';
    this.code = code;
    this.status = problemCodes[code].status;
    this.reason = detail;
    this.options = options;
  }
}
