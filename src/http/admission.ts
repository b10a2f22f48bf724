/** Lets a request in or refuses it: whose it is, how much its bucket has left, whether its framing is sound. */
import { ApiError } from '../base/api-error.ts';
import type { Clock } from '../base/clock.ts';
import { addressKey } from '../limits/address-key.ts';
import { invalidToken } from '../oauth/challenge.ts';
import { bearerToken, type Principal, verifyAccessToken } from '../oauth/verify.ts';
import type { Service } from '../operations/context.ts';
import type { Store } from '../store/store.ts';
import { isSandboxPath } from './answer.ts';
import type { Exchange, Policy } from './exchange.ts';
import { parseTarget, requireOneHost, requirePlainFraming } from './guard.ts';
import { bucketOf, type Rates, rateLimited } from './rate.ts';

export interface AdmissionOptions {
  readonly service: Service;
  readonly clock: Clock;
  readonly rates: Rates;
  readonly store: Pick<Store, 'findToken'>;
}

/**
 * Throws `rate_limited`, `invalid_token`, `upstream_unavailable` when the store is down and there is a token to check, and
 * `invalid_request` for doubtful framing. Only a request with a token is looked up, and waited for.
 */
export type Admission = (exchange: Exchange) => void | Promise<void>;

export function createAdmission(options: AdmissionOptions): Admission {
  const { rates } = options;
  return (exchange) => {
    exchange.policy = bucketOf(exchange.path);
    if (carriesToken(exchange)) return admitWithToken(options, exchange).then(() => requireSound(exchange));
    count(rates, exchange, exchange.policy, addressKey(exchange.address));
    return requireSound(exchange);
  };
}

/** There the header authenticates a client or names a registration. */
const ownAuthorization = /^\/oauth\/(token|revoke|register\/[^/]+)$/;

/** Pages and files are the same for everybody: they do not look at the header. */
const carriesToken = ({ request, policy, path }: Exchange): boolean =>
  request.headers.authorization !== undefined && policy !== 'pages' && !ownAuthorization.test(path);

async function admitWithToken(options: AdmissionOptions, exchange: Exchange): Promise<void> {
  const { rates } = options;
  const address = addressKey(exchange.address);
  const sandbox = isSandboxPath(exchange.path);
  requireLeft(rates, exchange, 'refused', address);
  if (sandbox) count(rates, exchange, 'sandbox', address);
  try {
    exchange.principal = await verify(options, exchange);
  } catch (error) {
    if (error instanceof ApiError && error.code === 'invalid_token') rates.take('refused', address);
    if (!sandbox) count(rates, exchange, 'anonymous', address);
    throw error;
  }
  if (sandbox) return;
  requireLeft(rates, exchange, 'address', address);
  count(rates, exchange, 'authenticated', exchange.principal.clientId);
  rates.take('address', address);
}

async function verify({ service, clock, store }: AdmissionOptions, { request }: Exchange): Promise<Principal> {
  const { baseUrl } = service;
  requireOneAuthorization(request.rawHeaders, baseUrl);
  const token = bearerToken(request.headers.authorization, baseUrl);
  return verifyAccessToken(store, token ?? '', clock.now(), baseUrl);
}

/** Of several Node shows the first alone, and a proxy before it may have checked another one. */
function requireOneAuthorization(rawHeaders: readonly string[], baseUrl: string): void {
  const names = rawHeaders.filter((_, index) => index % 2 === 0);
  if (names.filter((name) => name.toLowerCase() === 'authorization').length === 1) return;
  throw invalidToken(baseUrl, 'There is more than one Authorization header. Send one.');
}

/** Counts the request, for its headers too, and refuses it when it is one too many. */
function count(rates: Rates, exchange: Exchange, policy: Policy, key: string): void {
  const decision = rates.take(policy, key);
  Object.assign(exchange, { policy, decision });
  if (!decision.allowed) throw rateLimited(policy, decision);
}

/** Refuses the request when a further limit is used up; what is left of it is not in the headers otherwise. */
export function requireLeft(rates: Rates, exchange: Exchange, policy: Policy, key: string): void {
  const decision = rates.peek(policy, key);
  if (decision.allowed) return;
  Object.assign(exchange, { policy, decision });
  throw rateLimited(policy, decision);
}

function requireSound(exchange: Exchange): void {
  requireOneHost(exchange.request);
  requirePlainFraming(exchange.request);
  Object.assign(exchange, parseTarget(exchange.request));
}
