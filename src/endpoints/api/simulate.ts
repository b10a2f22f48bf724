/** The sandbox's `simulate`: forces an outcome, so that a client's handling of it can be tried. */

import { ApiError } from '../../base/api-error.ts';
import type { Clock } from '../../base/clock.ts';
import { didYouMean, nearMisses } from '../../base/near-miss.ts';
import { listLimit } from '../../base/request-limits.ts';
import { insufficientScope, invalidToken } from '../../oauth/errors.ts';
import { invalidRequest } from '../../operations/input.ts';

export const simulations = [
  'rate_limited',
  'invalid_request',
  'not_found',
  'invalid_token',
  'insufficient_scope',
  'internal_error',
  'upstream_unavailable',
  'slow',
] as const;

const slowMs = 2000;
const limitedSeconds = 3;

/** Throws the failure that `simulate` in the query asks for, or waits for `slow`. Gives whether anything was simulated. */
export async function simulate(query: string, baseUrl: string, clock: Clock): Promise<boolean> {
  const values = new URLSearchParams(query).getAll('simulate');
  const [wanted] = values;
  if (wanted === undefined) return false;
  if (values.length > 1) {
    const detail = `simulate may be given once; you sent ${values.length} values.`;
    throw invalidRequest([{ field: 'simulate', code: 'repeated', detail }]);
  }
  switch (wanted) {
    case 'rate_limited':
      throw new ApiError('rate_limited', `Simulated: too many requests. Wait ${limitedSeconds} seconds.`, {
        retryAfter: limitedSeconds,
      });
    case 'invalid_request':
      throw invalidRequest([
        {
          field: 'limit',
          code: 'out_of_range',
          detail: `Simulated: limit must be between 1 and ${listLimit.most}; you sent 250.`,
        },
      ]);
    case 'not_found':
      throw new ApiError('not_found', 'Simulated: this does not exist.');
    case 'invalid_token':
      throw invalidToken(baseUrl, 'Simulated: the access token is expired.');
    case 'insufficient_scope':
      throw insufficientScope(baseUrl, 'export:docs');
    case 'internal_error':
      throw new ApiError('internal_error', 'Simulated: the server failed.');
    case 'upstream_unavailable':
      throw new ApiError('upstream_unavailable', 'Simulated: the update feed cannot be reached.', { retryAfter: 5 });
    case 'slow':
      await new Promise<void>((resolve) => clock.after(slowMs, resolve));
      return true;
    default: {
      const suggestions = nearMisses(wanted, simulations);
      const detail = `simulate must be one of ${simulations.map((name) => `\`${name}\``).join(', ')}.${didYouMean(suggestions)}`;
      throw invalidRequest([{ field: 'simulate', code: 'invalid_value', detail }], suggestions);
    }
  }
}
