/** Reads the forms that are posted to the authorization server. */

import type { Answer } from '../../http/answer.ts';
import { readBody, requireMediaType } from '../../http/body.ts';
import type { EndpointHandler } from '../../http/endpoints.ts';
import type { Exchange } from '../../http/exchange.ts';
import type { Rates } from '../../http/rate.ts';
import { readClientCredentials } from '../../oauth/client-authentication.ts';
import type { OAuthContext } from '../../oauth/context.ts';
import { collectForm, type Parameters } from '../../oauth/form.ts';
import type { Service } from '../../operations/context.ts';
import { getPrincipal, type KeyTables, markAsReplay, readIdempotencyKey, runOnce } from '../api/idempotency.ts';

/** The parts that the endpoints of the authorization server consist of. */
export interface OAuthOptions extends OAuthContext {
  readonly service: Service;
  readonly rates: Rates;
  readonly keys: KeyTables;
}

/**
 * Creates the handler of a POST with a form. A second request of the client with the same Idempotency-Key and the same fields, in
 * any order, runs again and its response is marked as a replay; with other fields it is refused as `idempotency_conflict`. A body
 * of another media type is refused as `unsupported_media_type`.
 *
 * @param run returns the response to a form, whose fields are pairs of name and value in the order in which they were sent
 */
export function createFormHandler(
  options: OAuthOptions,
  run: (exchange: Exchange, form: Parameters) => Promise<Answer>,
): EndpointHandler {
  const { keys, clock } = options;
  return async (exchange) => {
    const key = readIdempotencyKey(exchange);
    requireMediaType(exchange, 'application/x-www-form-urlencoded');
    const form = [...new URLSearchParams((await readBody(exchange)).toString())];
    const principal = `${getPrincipal(exchange)} ${readClientId(options, exchange, form)}`;
    const keyedRequest = { exchange, principal, keys, clock, key, body: form.toSorted(compareByNameAndValue) };
    const { result, replayed } = await runOnce(keyedRequest, () => run(exchange, form));
    return replayed ? markAsReplay(result) : result;
  };
}

/**
 * Returns the client ID that the request claims, so that two clients of one address do not share keys; '' if it claims none that
 * can be read.
 */
function readClientId({ baseUrl }: OAuthOptions, { request }: Exchange, form: Parameters): string {
  try {
    return readClientCredentials(request.headers.authorization, collectForm({}, form), baseUrl)?.clientId ?? '';
  } catch {
    return '';
  }
}

const compareByNameAndValue = ([a, x]: Parameters[number], [b, y]: Parameters[number]): number =>
  a < b ? -1 : a > b ? 1 : x < y ? -1 : x > y ? 1 : 0;
