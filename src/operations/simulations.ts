/** Defines the values of the sandbox parameter `simulate`: the response to each, and the error that it causes. */
import { ApiError } from '../base/api-error.ts';
import { listLimit } from '../base/request-limits.ts';
import { createInsufficientScope, createInvalidToken } from '../oauth/errors.ts';
import { createInvalidRequest } from './input.ts';

interface Simulation {
  /** The response that a caller gets, described in Markdown. */
  readonly response: string;
  /** Creates the error that the request fails with, or returns null if the request only waits. */
  createError(baseUrl: string): ApiError | null;
}

const limitedSeconds = 3;

/** How long `slow` waits, in milliseconds. */
export const slowMs = 2000;

/** Every value of `simulate`, by its name, in the order of the contract. */
export const simulations: ReadonlyMap<string, Simulation> = new Map(
  Object.entries<Simulation>({
    rate_limited: {
      response: `429 with \`Retry-After: ${limitedSeconds}\``,
      createError: () =>
        new ApiError('rate_limited', `Simulated: too many requests. Wait ${limitedSeconds} seconds.`, {
          retryAfter: limitedSeconds,
        }),
    },
    invalid_request: {
      response: '400 with an `errors` array',
      createError() {
        const detail = `Simulated: limit must be between 1 and ${listLimit.max}; you sent 250.`;
        return createInvalidRequest([{ field: 'limit', code: 'out_of_range', detail }]);
      },
    },
    not_found: { response: '404', createError: () => new ApiError('not_found', 'Simulated: this does not exist.') },
    invalid_token: {
      response: '401 with a `WWW-Authenticate` challenge',
      createError: (baseUrl) => createInvalidToken(baseUrl, 'Simulated: the access token is expired.'),
    },
    insufficient_scope: {
      response: '403 that names the missing scope',
      createError: (baseUrl) => createInsufficientScope(baseUrl, 'export:docs'),
    },
    internal_error: {
      response: '500',
      createError: () => new ApiError('internal_error', 'Simulated: the server failed.'),
    },
    upstream_unavailable: {
      response: '503 with `Retry-After`',
      createError: () =>
        new ApiError('upstream_unavailable', 'Simulated: the update feed cannot be reached.', { retryAfter: 5 }),
    },
    slow: { response: `the normal response, after ${slowMs / 1000} seconds`, createError: () => null },
  }),
);
