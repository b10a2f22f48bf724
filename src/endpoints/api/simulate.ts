/** The sandbox's `simulate` parameter: it forces a failure or a delay, so that a client's handling of it can be tried. */

import { ApiError } from '../../base/api-error.ts';
import type { Clock } from '../../base/clock.ts';
import { didYouMean, nearMisses } from '../../base/near-miss.ts';
import { listLimit } from '../../base/request-limits.ts';
import { insufficientScope, invalidToken } from '../../oauth/errors.ts';
import { invalidRequest } from '../../operations/input.ts';

const slowMs = 2000;
const limitedSeconds = 3;

/** Creates the error of each simulation, or null for the one that only waits. */
const errors = {
  rate_limited: () =>
    new ApiError('rate_limited', `Simulated: too many requests. Wait ${limitedSeconds} seconds.`, {
      retryAfter: limitedSeconds,
    }),
  invalid_request() {
    const detail = `Simulated: limit must be between 1 and ${listLimit.most}; you sent 250.`;
    return invalidRequest([{ field: 'limit', code: 'out_of_range', detail }]);
  },
  not_found: () => new ApiError('not_found', 'Simulated: this does not exist.'),
  invalid_token: (baseUrl: string) => invalidToken(baseUrl, 'Simulated: the access token is expired.'),
  insufficient_scope: (baseUrl: string) => insufficientScope(baseUrl, 'export:docs'),
  internal_error: () => new ApiError('internal_error', 'Simulated: the server failed.'),
  upstream_unavailable: () =>
    new ApiError('upstream_unavailable', 'Simulated: the update feed cannot be reached.', { retryAfter: 5 }),
  slow: () => null,
} as const;

/** The values of `simulate`. */
export const simulations = Object.keys(errors);

/**
 * Waits if `simulate` in the query is `slow`, and returns whether it did.
 *
 * @throws ApiError the failure that `simulate` names
 */
export async function simulate(query: string, baseUrl: string, clock: Clock): Promise<boolean> {
  const values = new URLSearchParams(query).getAll('simulate');
  const [name] = values;
  if (name === undefined) return false;
  if (values.length > 1) {
    const detail = `simulate may be given once; you sent ${values.length} values.`;
    throw invalidRequest([{ field: 'simulate', code: 'repeated', detail }]);
  }
  if (!Object.hasOwn(errors, name)) {
    const suggestions = nearMisses(name, simulations);
    const names = simulations.map((simulation) => `\`${simulation}\``).join(', ');
    const detail = `simulate must be one of ${names}.${didYouMean(suggestions)}`;
    throw invalidRequest([{ field: 'simulate', code: 'invalid_value', detail }], suggestions);
  }
  const error = errors[name as keyof typeof errors](baseUrl);
  if (error !== null) throw error;
  await new Promise<void>((resolve) => clock.after(slowMs, resolve));
  return true;
}
