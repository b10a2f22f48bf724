/** The gate: the checks that every request passes before its route, in one order. */
import type { ApiError } from '../base/api-error.ts';
import { createAddressKey } from '../limits/address-key.ts';
import type { Admission } from './admission.ts';
import type { Exchange } from './exchange.ts';
import { check } from './guard.ts';
import type { Load } from './load.ts';
import { findBucket, type Rates } from './rate.ts';

/** The parts that the gate consists of. */
export interface GateOptions {
  readonly load: Pick<Load, 'refusal'>;
  readonly rates: Pick<Rates, 'peek'>;
  readonly admit: Admission;
}

/**
 * Checks target, version, Host and framing; then sets `path`, `query` and `bucket` of the exchange; then checks for overload
 * (`isReady` returns whether the response is prepared); then admits the request. Returns the refusal of a request that gets no
 * further than overload: it counts nowhere, and its connection is closed behind it. Otherwise returns nothing, or a promise of
 * nothing if admission does. An error that the gate throws or rejects with comes from admission; `decision` is set in every case.
 */
export type Gate = (exchange: Exchange, isReady: () => boolean) => ApiError | void | Promise<void>;

/** Creates the gate from its checks. */
export function createGate({ load, rates, admit }: GateOptions): Gate {
  return (exchange, isReady) => {
    const { fault, path, query, isLast } = check(exchange.request);
    exchange.path = path ?? '/';
    exchange.query = query;
    exchange.bucket = path === null || isPreflight(exchange) ? 'pages' : findBucket(path);
    if (isLast) exchange.response.shouldKeepAlive = false;
    const refusal = fault ?? load.refusal(exchange, isReady);
    if (refusal === null) return admit(exchange);
    exchange.decision = rates.peek(exchange.bucket, createAddressKey(exchange.address));
    exchange.response.shouldKeepAlive = false;
    return refusal;
  };
}

/** Returns whether a browser sent the request by itself, without a token: it must not use up the bucket of the page's own requests. */
const isPreflight = ({ method, request: { headers } }: Exchange): boolean =>
  method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
