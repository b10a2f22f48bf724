/** Calls an operation, the only way to run one: authorizes, validates and runs it, or throws an ApiError from the closed table. */
import { ApiError } from '../base/api-error.ts';
import { requireScope } from '../oauth/verify.ts';
import type { Context, Outcome } from './context.ts';
import type { Operation } from './operation.ts';

/**
 * Authorizes, validates and runs an operation, and throws or rejects with an ApiError if one of these fails. `input` is the flat
 * object of path, query and body fields.
 */
export const call = (operation: Operation, context: Context, input: unknown): Outcome | Promise<Outcome> =>
  run(authorize(operation, context), context, input);

/** An operation that its caller may run: `authorize` returns it, and `run` takes nothing else. */
export interface Authorized {
  readonly authorized: Operation;
}

/**
 * Returns the operation as one that `run` accepts. Throws `unauthorized` when it needs a token and the caller has none, and
 * `insufficient_scope` when the token lacks its scope. In the sandbox no operation needs a token.
 */
export function authorize(
  operation: Operation,
  { environment, principal, service }: Pick<Context, 'environment' | 'principal' | 'service'>,
): Authorized {
  const { tokenRequired, scope } = operation;
  if (tokenRequired && scope !== null && environment === 'production') requireScope(principal, scope, service.baseUrl);
  return { authorized: operation };
}

/** Validates the input and runs the operation. Throws or rejects only with an ApiError; another exception becomes `internal_error`. */
export function run({ authorized }: Authorized, context: Context, input: unknown): Outcome | Promise<Outcome> {
  try {
    const outcome = authorized.invoke(context, input);
    return outcome instanceof Promise ? outcome.catch((error: unknown) => Promise.reject(toApiError(error))) : outcome;
  } catch (error) {
    throw toApiError(error);
  }
}

/** Returns an ApiError unchanged, and anything else as `internal_error` with a cause that only the log shows. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  return new ApiError('internal_error', 'The server failed. Try again; if it keeps failing, report the request id.', {
    cause: error,
  });
}
