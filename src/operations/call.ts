/** The only door to an operation: validate, run, or throw an ApiError from the closed table. */
import { ApiError } from '../base/api-error.ts';
import { requireScope } from '../oauth/verify.ts';
import type { Context } from './context.ts';
import type { Operation } from './operation.ts';
import type { Outcome } from './outcome.ts';

/** `input` is the flat object of path, query and body members. Whatever else fails inside becomes `internal_error`. */
export function call(operation: Operation, context: Context, input: unknown): Outcome | Promise<Outcome> {
  try {
    requireAccess(operation, context);
    const outcome = operation.invoke(context, input);
    return outcome instanceof Promise ? outcome.catch((error: unknown) => Promise.reject(asApiError(error))) : outcome;
  } catch (error) {
    throw asApiError(error);
  }
}

/**
 * Throws `unauthorized` or `insufficient_scope` when the operation needs a token and the caller's does not do. In the
 * sandbox nothing needs one.
 */
export function requireAccess(
  { tokenRequired, scope }: Pick<Operation, 'tokenRequired' | 'scope'>,
  { environment, principal, service }: Pick<Context, 'environment' | 'principal' | 'service'>,
): void {
  if (tokenRequired && scope !== null && environment === 'production') requireScope(principal, scope, service.baseUrl);
}

/** An ApiError as it is; anything else as `internal_error`, with its cause for the log alone. */
export function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  return new ApiError('internal_error', 'The server failed. Try again; if it stays, report the request id.', {
    cause: error,
  });
}
