/** Defines the error of every expected failure: a code of the closed table, a sentence that names the fix, and further details. */
import { type Code, problemCodes } from './problem-codes.ts';

/** One invalid parameter, as it is in the `errors` of a problem document. */
export interface FieldError {
  /** A query parameter's name, or the path of a body field such as `operations[2].path`. */
  field: string;
  /** `required`, `out_of_range`, `malformed`, `invalid_value`, `repeated`, `too_short`, `too_long` or `unknown`. */
  code: string;
  /** The fault in one or two sentences, with what is allowed. */
  detail: string;
}

/** The optional facts of a failure, such as the next step, the invalid fields and the headers of the response. */
export interface ApiErrorOptions {
  /** The next step in REST's terms, as a sentence after the detail; other protocols leave it out. */
  next?: string;
  /** The invalid parameters of a validation failure. */
  errors?: FieldError[];
  /** Valid names that are similar to the one that was sent, the most similar first. */
  suggestions?: string[];
  /** Whole seconds, at least 1, that the caller should wait: the value of Retry-After and `retry_after`. */
  retryAfter?: number;
  /** Response headers that belong to the failure, such as Allow or WWW-Authenticate. */
  headers?: Record<string, string>;
  /** Additional fields of the problem document (RFC 9457 section 3.2). */
  members?: Record<string, unknown>;
  /** The cause, which is logged and never sent. */
  cause?: unknown;
}

/**
 * An expected failure, which every protocol turns into its own kind of error response. Its message is the detail, with
 * `options.next` after it.
 */
export class ApiError extends Error {
  readonly code: Code;
  /** The HTTP status of the code. */
  readonly status: number;
  /** The detail without `options.next`, which the message has. */
  readonly reason: string;
  readonly options: ApiErrorOptions;

  /** Creates the failure. `detail` says in whole sentences what is wrong in this case, and what to do unless `options.next` says it. */
  constructor(code: Code, detail: string, options: ApiErrorOptions = {}) {
    super(options.next === undefined ? detail : `${detail} ${options.next}`, options);
    this.name = 'ApiError';
    this.code = code;
    this.status = problemCodes[code].status;
    this.reason = detail;
    this.options = options;
  }
}
