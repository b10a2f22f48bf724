/** The only door to an operation: authorize, validate, run, or throw an ApiError from the closed table. */
import { ApiError } from '../base/api-error.ts';
import { requireScope } from '../oauth/verify.ts';
import type { Context, Outcome } from './context.ts';
import type { Operation } from './operation.ts';

/** For callers who speak for nobody: authorizes and runs. `input` is the flat object of path, query and body fields. */
export const call = (operation: Operation, context: Context, input: unknown): Outcome | Promise<Outcome> =>
  run(authorize(operation, context), context, input);

/** An operation that its caller may run: what `authorize` gives, and `run` takes nothing else. */
export interface Authorized {
  readonly authorized: Operation;
}

/**
 * Throws `unauthorized` or `insufficient_scope` when the operation needs a token and the caller's does not do. In the
 * sandbox nothing needs one.
 */
export function authorize(
  operation: Operation,
  { environment, principal, service }: Pick<Context, 'environment' | 'principal' | 'service'>,
): Authorized {
  const { tokenRequired, scope } = operation;
  if (tokenRequired && scope !== null && environment === 'production') requireScope(principal, scope, service.baseUrl);
  return { authorized: operation };
}

/** Validates and runs. Whatever is no ApiError becomes `internal_error`. */
export function run({ authorized }: Authorized, context: Context, input: unknown): Outcome | Promise<Outcome> {
  try {
    const outcome = authorized.invoke(context, input);
    return outcome instanceof Promise ? outcome.catch((error: unknown) => Promise.reject(asApiError(error))) : outcome;
  } catch (error) {
    throw asApiError(error);
  }
}

/** An ApiError as it is; anything else as `internal_error`, with a cause that only the log gets. */
export function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  return new ApiError('internal_error', 'The server failed. Try again; if it keeps failing, report the request id.', {
    cause: error,
  });
}
