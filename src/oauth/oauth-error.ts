/** OAuth failures: problem documents that also carry `error` and `error_description` (RFC 6749 section 5.2). */
import { ApiError, type ApiErrorOptions } from '../base/api-error.ts';
import type { Code } from '../base/problem-codes.ts';

export interface OAuthErrorOptions extends Omit<ApiErrorOptions, 'members'> {
  /** Where OAuth's name for the failure differs from the code, such as `temporarily_unavailable`. */
  error?: string;
  /** A finer name, as an additional field. */
  reason?: string;
  /** The scope that is missing, as an additional field. */
  scope?: string;
}

/** The description is the detail, in the characters that OAuth allows. */
export function oauthError(code: Code, detail: string, options: OAuthErrorOptions = {}): ApiError {
  const { error = code, reason, scope, ...rest } = options;
  const description = describable(detail);
  return new ApiError(code, description, {
    ...rest,
    members: {
      error,
      error_description: description,
      ...(reason !== undefined && { reason }),
      ...(scope !== undefined && { scope }),
    },
  });
}

/** `invalid_request` for one parameter of a form or a query. */
export function invalidParameter(field: string, code: string, detail: string, error?: string): ApiError {
  return oauthError('invalid_request', detail, {
    errors: [{ field, code, detail: describable(detail) }],
    ...(error !== undefined && { error }),
  });
}

/** What OAuth allows in a description: %x20-21 / %x23-5B / %x5D-7E: safe in a quoted string of a challenge too. */
export const describable = (text: string): string => text.replaceAll('"', "'").replace(/[^\x20-\x5b\x5d-\x7e]/g, '?');
