/** Authenticates a request and counts it in its rate limits. */
import { ApiError } from '../base/api-error.ts';
import type { Clock } from '../base/clock.ts';
import { createAddressKey } from '../limits/address-key.ts';
import type { Decision } from '../limits/sliding-window.ts';
import { createInvalidToken } from '../oauth/errors.ts';
import { hashToken, type Principal, readBearerToken, verifyToken } from '../oauth/verify.ts';
import type { Service } from '../operations/context.ts';
import type { Store } from '../store/store.ts';
import { isSandboxPage } from './answer.ts';
import type { Bucket, Exchange } from './exchange.ts';
import { createRateLimitError, type Rates } from './rate.ts';

/** The parts that authenticate and count requests. */
export interface AdmissionOptions {
  readonly service: Service;
  readonly clock: Clock;
  readonly rates: Rates;
  readonly store: Pick<Store, 'findToken'>;
}

/**
 * Authenticates and counts a request whose bucket the gate has chosen, and sets its `bucket` and `decision`, and with a valid token
 * its `principal`. Throws or rejects with `rate_limited`, `invalid_token`, and `upstream_unavailable` if the store is down and the
 * request has a token. Returns a promise if the request has a token or processes share its bucket.
 */
export type Admission = (exchange: Exchange) => void | Promise<void>;

/** Creates the admission of a server's requests. */
export function createAdmission(options: AdmissionOptions): Admission {
  const { rates } = options;
  return (exchange) => {
    if (carriesToken(exchange)) return admitWithToken(options, exchange);
    const { bucket } = exchange;
    const key = createAddressKey(exchange.address);
    const decision = rates.takeHere(bucket, key);
    if (decision !== null) return applyDecision(exchange, bucket, decision);
    return rates.take(bucket, key).then((decision) => applyDecision(exchange, bucket, decision));
  };
}

/** Paths whose Authorization header carries client credentials or a registration token, not an access token. */
const clientCredentialPaths = /^\/oauth\/(token|revoke|register\/[^/]+)$/;

/**
 * Returns whether there is an Authorization header that is read as an access token. Pages and files are the same for everybody and
 * ignore it, and some paths of OAuth read other credentials from it.
 */
const carriesToken = ({ request, bucket, path }: Exchange): boolean =>
  request.headers.authorization !== undefined &&
  bucket !== 'pages' &&
  !isSandboxPage(path) &&
  !clientCredentialPaths.test(path);

/**
 * Checks and counts a request with a token: the address's invalid tokens, then the token, then the limits of its holder and of the
 * address (in the sandbox, only the bucket `sandbox`). Rejects with the failure of the first check that refuses it; a request whose
 * token fails counts for the address, and is `rate_limited` if that has no requests left.
 */
async function admitWithToken(options: AdmissionOptions, exchange: Exchange): Promise<void> {
  const { rates } = options;
  const { bucket } = exchange;
  const key = createAddressKey(exchange.address);
  const refusedKey = bucket === 'sandbox' ? `sandbox ${key}` : key;
  requireAllowed(exchange, 'refused', await rates.look('refused', refusedKey));
  let principal: Principal;
  try {
    principal = await findPrincipal(options, exchange);
  } catch (error) {
    // An invalid token counts in the bucket `refused` even if the address has no requests left.
    if (error instanceof ApiError && error.code === 'invalid_token') await rates.take('refused', refusedKey);
    applyDecision(exchange, bucket, await rates.take(bucket, key));
    throw error;
  }
  exchange.principal = principal;
  if (bucket === 'sandbox') return applyDecision(exchange, bucket, await rates.take(bucket, key));
  // The address is only checked here and counted last: a request over the limit of its client must not count for the address.
  requireAllowed(exchange, 'address', rates.peek('address', key));
  applyDecision(exchange, 'authenticated', await rates.take('authenticated', principal.clientId));
  requireAllowed(exchange, 'address', await rates.take('address', key));
}

/** Returns the holder of the request's token. Rejects with `invalid_token`, or `upstream_unavailable` if the store is down. */
async function findPrincipal({ service, clock, store }: AdmissionOptions, { request }: Exchange): Promise<Principal> {
  const { baseUrl } = service;
  requireOneAuthorization(request.rawHeaders, baseUrl);
  const hash = hashToken(readBearerToken(request.headers.authorization, baseUrl) ?? '', baseUrl);
  return verifyToken(await store.findToken(hash, clock.now()), baseUrl);
}

/**
 * Throws `invalid_token` if there are several Authorization headers: Node shows only the first, and a proxy may have checked
 * another one.
 */
function requireOneAuthorization(rawHeaders: readonly string[], baseUrl: string): void {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.toLowerCase() === 'authorization') count += 1;
  }
  if (count > 1) throw createInvalidToken(baseUrl, 'There is more than one Authorization header. Send one.');
}

/**
 * Counts the request in the limit `bucket` too, besides the one that admitted it; `key` is an address key or a client ID. Rejects
 * with `rate_limited` if `bucket` is used up, and only then do the response's headers name it.
 */
export async function countInSecondLimit(rates: Rates, exchange: Exchange, bucket: Bucket, key: string): Promise<void> {
  requireAllowed(exchange, bucket, await rates.take(bucket, key));
}

/**
 * Rejects with `rate_limited` if the limit `bucket` is used up for `key`, but counts nothing; the headers are as in
 * `countInSecondLimit`.
 */
export async function requireFreeLimit(rates: Rates, exchange: Exchange, bucket: Bucket, key: string): Promise<void> {
  requireAllowed(exchange, bucket, await rates.look(bucket, key));
}

function requireAllowed(exchange: Exchange, bucket: Bucket, decision: Decision): void {
  if (!decision.allowed) applyDecision(exchange, bucket, decision);
}

/** Puts a limit into the response's headers, and throws `rate_limited` if it refuses the request. */
function applyDecision(exchange: Exchange, bucket: Bucket, decision: Decision): void {
  exchange.bucket = bucket;
  exchange.decision = decision;
  if (!decision.allowed) throw createRateLimitError(bucket, decision);
}
