/** The sandbox's `simulate` parameter: it forces a failure or a delay, so that a client's handling of it can be tried. */

import type { Clock } from '../../base/clock.ts';
import { findNearMisses, writeDidYouMean } from '../../base/near-miss.ts';
import { createInvalidRequest } from '../../operations/input.ts';
import { simulations, slowMs } from '../../operations/simulations.ts';

/**
 * Waits if `simulate` in the query is `slow`, and returns whether it did.
 *
 * @throws ApiError the failure that `simulate` names, or `invalid_request` if it is unknown or repeated
 */
export async function simulate(query: string, baseUrl: string, clock: Clock): Promise<boolean> {
  const values = new URLSearchParams(query).getAll('simulate');
  const [name] = values;
  if (name === undefined) return false;
  if (values.length > 1) {
    const detail = `simulate may be given once; you sent ${values.length} values.`;
    throw createInvalidRequest([{ field: 'simulate', code: 'repeated', detail }]);
  }
  const simulation = simulations.get(name);
  if (simulation === undefined) {
    const names = [...simulations.keys()];
    const suggestions = findNearMisses(name, names);
    const detail = `simulate must be one of ${names.map((value) => `\`${value}\``).join(', ')}.${writeDidYouMean(suggestions)}`;
    throw createInvalidRequest([{ field: 'simulate', code: 'invalid_value', detail }], suggestions);
  }
  const error = simulation.createError(baseUrl);
  if (error !== null) throw error;
  await new Promise<void>((resolve) => clock.after(slowMs, resolve));
  return true;
}
