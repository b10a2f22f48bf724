/** Credential and count: whose a request is, and how much its bucket has left. */
import { ApiError } from '../base/api-error.ts';
import type { Clock } from '../base/clock.ts';
import { addressKey } from '../limits/address-key.ts';
import type { Decision } from '../limits/sliding-window.ts';
import { invalidToken } from '../oauth/errors.ts';
import { hashToken, type Principal, readBearerToken, verifyToken } from '../oauth/verify.ts';
import type { Service } from '../operations/context.ts';
import type { Store } from '../store/store.ts';
import { isSandboxPage } from './answer.ts';
import type { Exchange, Policy } from './exchange.ts';
import { type Bucket, type Rates, rateLimited, type TokenToAdmit } from './rate.ts';

export interface AdmissionOptions {
  readonly service: Service;
  readonly clock: Clock;
  readonly rates: Rates;
  readonly store: Pick<Store, 'findToken'>;
}

/**
 * Of an exchange that has its bucket. Throws `rate_limited`, `invalid_token`, and `upstream_unavailable` when the store is
 * down and there is a token to check. Only a request with a token is looked up. There is a promise to wait for when several
 * processes share the limits or the tokens, and when a token is refused.
 */
export type Admission = (exchange: Exchange) => void | Promise<void>;

export function createAdmission(options: AdmissionOptions): Admission {
  const { rates } = options;
  return (exchange) => {
    if (carriesToken(exchange)) return admitWithToken(options, exchange);
    const { policy } = exchange;
    const decision = rates.take(policy, addressKey(exchange.address));
    if (decision instanceof Promise) return decision.then((made) => settle(exchange, policy, made));
    settle(exchange, policy, decision);
  };
}

/** There the header authenticates a client or names a registration. */
const ownAuthorization = /^\/oauth\/(token|revoke|register\/[^/]+)$/;

/** Pages and files are the same for everybody: they do not look at the header. */
const carriesToken = ({ request, policy, path }: Exchange): boolean =>
  request.headers.authorization !== undefined &&
  policy !== 'pages' &&
  !isSandboxPage(path) &&
  !ownAuthorization.test(path);

/** The refused tokens of the address first, then the token, then the count of whose it is: in one step where the store can. */
function admitWithToken(options: AdmissionOptions, exchange: Exchange): void | Promise<void> {
  const { rates, clock, service } = options;
  const key = addressKey(exchange.address);
  const inSandbox = exchange.policy === 'sandbox';
  const asked: Asked = {
    hash: tokenHash(service, exchange),
    now: clock.now(),
    refused: { policy: 'refused', key: inSandbox ? `sandbox ${key}` : key },
    bucket: { policy: exchange.policy, key },
    address: inSandbox ? null : { policy: 'address', key },
  };
  const { hash } = asked;
  const admitting = hash instanceof ApiError ? null : rates.admit({ ...asked, hash });
  if (admitting === null) return admitInSteps(options, exchange, asked);
  return admitting.then((admitted) => {
    if (admitted === null) return admitInSteps(options, exchange, asked);
    settle(exchange, admitted.policy, admitted.decision);
    exchange.principal = verifyToken(admitted.token, service.baseUrl);
  });
}

/** A request with a token, as `Rates.admit` takes it. */
interface Asked extends Omit<TokenToAdmit, 'hash'> {
  readonly hash: Uint8Array | ApiError;
}

/** The same with counters and tokens in different places: at once where both are in this process. */
function admitInSteps(options: AdmissionOptions, exchange: Exchange, asked: Asked): void | Promise<void> {
  const { rates, service, store } = options;
  const { hash, now, refused, bucket, address } = asked;
  const lookUp = (): Principal | Promise<Principal> => {
    if (hash instanceof ApiError) throw hash;
    return after(store.findToken(hash, now), (found) => verifyToken(found, service.baseUrl));
  };
  const admit = (holder: Principal): void | Promise<void> => {
    exchange.principal = holder;
    if (address === null) return count(rates, exchange, [bucket]);
    return count(rates, exchange, [address, { policy: 'authenticated', key: holder.clientId }]);
  };
  const refuse = async (error: unknown): Promise<never> => {
    // A token that is refused counts as refused even when the address has no requests left.
    const isRefused = error instanceof ApiError && error.code === 'invalid_token';
    const counted = isRefused ? rates.take(refused.policy, refused.key) : null;
    const decision = rates.take(bucket.policy, bucket.key);
    await counted;
    settle(exchange, bucket.policy, await decision);
    throw error;
  };
  return after(count(rates, exchange, [{ ...refused, peek: true }]), () => {
    let found: Principal | Promise<Principal>;
    try {
      found = lookUp();
    } catch (error) {
      return refuse(error);
    }
    return found instanceof Promise ? found.then(admit, refuse) : admit(found);
  });
}

const after = <T, U>(value: T | Promise<T>, next: (value: T) => U | Promise<U>): U | Promise<U> =>
  value instanceof Promise ? value.then(next) : next(value);

/** What the request's token is looked up by, or why it cannot be one. */
function tokenHash({ baseUrl }: Service, { request }: Exchange): Uint8Array | ApiError {
  try {
    requireOneAuthorization(request.rawHeaders, baseUrl);
    return hashToken(readBearerToken(request.headers.authorization, baseUrl) ?? '', baseUrl);
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}

/** Of several Authorization headers Node shows only the first, and a proxy in front of it may have checked another one. */
function requireOneAuthorization(rawHeaders: readonly string[], baseUrl: string): void {
  let sent = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 'authorization'.length && name.toLowerCase() === 'authorization') sent += 1;
  }
  if (sent === 1) return;
  throw invalidToken(baseUrl, 'There is more than one Authorization header. Send one.');
}

/** Counts the request, and refuses it when a bucket is used up. The last one that it counts in is the one of its headers. */
function count(rates: Rates, exchange: Exchange, buckets: readonly Bucket[]): void | Promise<void> {
  const decisions = rates.takeAll(buckets);
  if (decisions instanceof Promise) return decisions.then((made) => settleAll(exchange, buckets, made));
  settleAll(exchange, buckets, decisions);
}

function settleAll(exchange: Exchange, buckets: readonly Bucket[], decisions: readonly Decision[]): void {
  for (const [index, { policy, peek }] of buckets.entries()) {
    const decision = decisions[index];
    if (decision !== undefined && (peek !== true || !decision.allowed)) settle(exchange, policy, decision);
  }
}

/** Refuses the request when a further limit is used up; what is left of it is not in the headers otherwise. */
export async function requireLeft(rates: Rates, exchange: Exchange, bucket: Bucket): Promise<void> {
  const [decision] = await rates.takeAll([bucket]);
  if (decision?.allowed === false) settle(exchange, bucket.policy, decision);
}

/** From here on the response's headers tell of this limit. */
function settle(exchange: Exchange, policy: Policy, decision: Decision): void {
  exchange.policy = policy;
  exchange.decision = decision;
  if (!decision.allowed) throw rateLimited(policy, decision);
}
