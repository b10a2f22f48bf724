/** Credential and count: whose a request is, and how much its bucket has left. */
import { ApiError } from '../base/api-error.ts';
import type { Clock } from '../base/clock.ts';
import { addressKey } from '../limits/address-key.ts';
import type { Decision } from '../limits/sliding-window.ts';
import { invalidToken } from '../oauth/challenge.ts';
import { bearerToken, holderOf, lookUpHash } from '../oauth/verify.ts';
import type { Service } from '../operations/context.ts';
import type { Store } from '../store/store.ts';
import { isSandboxPage } from './answer.ts';
import type { Exchange, Policy } from './exchange.ts';
import { type Bucket, type Rates, rateLimited } from './rate.ts';

export interface AdmissionOptions {
  readonly service: Service;
  readonly clock: Clock;
  readonly rates: Rates;
  readonly store: Pick<Store, 'findToken'>;
}

/**
 * Of an exchange that has its bucket. Throws `rate_limited`, `invalid_token`, and `upstream_unavailable` when the store is
 * down and there is a token to check. Only a request with a token is looked up. There is a promise to wait for when there is
 * a token, or when several processes share the limits.
 */
export type Admission = (exchange: Exchange) => undefined | Promise<void>;

export function createAdmission(options: AdmissionOptions): Admission {
  const { rates } = options;
  return (exchange) => {
    if (carriesToken(exchange)) return admitWithToken(options, exchange);
    const { policy } = exchange;
    const decision = rates.take(policy, addressKey(exchange.address));
    if (decision instanceof Promise) return decision.then((made) => settle(exchange, policy, made));
    settle(exchange, policy, decision);
    return undefined;
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
async function admitWithToken(options: AdmissionOptions, exchange: Exchange): Promise<void> {
  const { rates, clock, service, store } = options;
  const key = addressKey(exchange.address);
  const inSandbox = exchange.policy === 'sandbox';
  const bucket: Bucket = { policy: exchange.policy, key };
  const refused: Bucket = { policy: 'refused', key: inSandbox ? `sandbox ${key}` : key };
  const address: Bucket | null = inSandbox ? null : { policy: 'address', key };
  const hash = tokenHash(service, exchange);
  const now = clock.now();
  if (!(hash instanceof ApiError)) {
    const admitting = rates.admit({ hash, now, refused, bucket, address });
    const admitted = admitting === null ? null : await admitting;
    if (admitted !== null) {
      settle(exchange, admitted.policy, admitted.decision);
      exchange.principal = holderOf(admitted.token, service.baseUrl);
      return undefined;
    }
  }
  // Counters in this process answer at once, and to wait for them all the same would cost as much as asking them.
  const left = count(rates, exchange, [{ ...refused, peek: true }]);
  if (left !== undefined) await left;
  try {
    if (hash instanceof ApiError) throw hash;
    exchange.principal = holderOf(await store.findToken(hash, now), service.baseUrl);
  } catch (error) {
    // A token that is refused counts as refused even when the address has no requests left.
    const isRefused = error instanceof ApiError && error.code === 'invalid_token';
    const counted = isRefused ? rates.take(refused.policy, refused.key) : null;
    const decision = rates.take(bucket.policy, key);
    await counted;
    settle(exchange, bucket.policy, await decision);
    throw error;
  }
  if (address === null) return count(rates, exchange, [bucket]);
  return count(rates, exchange, [address, { policy: 'authenticated', key: exchange.principal.clientId }]);
}

/** What the request's token is looked up by, or why it cannot be one. */
function tokenHash({ baseUrl }: Service, { request }: Exchange): Uint8Array | ApiError {
  try {
    requireOneAuthorization(request.rawHeaders, baseUrl);
    return lookUpHash(bearerToken(request.headers.authorization, baseUrl) ?? '', baseUrl);
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
