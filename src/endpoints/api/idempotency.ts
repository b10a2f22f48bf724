/** Idempotency-Key on a POST: the same key with another body is a conflict, with the same body a replay. */
import type { Clock } from '../../base/clock.ts';
import { isIdempotencyKey, maxKeyCharacters } from '../../base/request-limits.ts';
import type { Answer } from '../../http/answer.ts';
import type { Exchange } from '../../http/exchange.ts';
import { createAddressKey } from '../../limits/address-key.ts';
import { createInvalidRequest } from '../../operations/input.ts';
import { claimKey, type IdempotencyTable } from '../../store/idempotency.ts';

/** Returns the key without its quotes, or null if none was sent. Throws `invalid_request` for an empty or malformed key. */
export function readIdempotencyKey(exchange: Exchange): string | null {
  const value = exchange.request.headers['idempotency-key'];
  if (value === undefined) return null;
  const text = String(value);
  const key = /^"(.*)"$/.exec(text)?.[1] ?? text;
  if (isIdempotencyKey(text) && key !== '') return key;
  const detail = `Idempotency-Key must be 1 to ${maxKeyCharacters} visible ASCII characters without spaces.`;
  throw createInvalidRequest([{ field: 'Idempotency-Key', code: 'malformed', detail }]);
}

/** Tables of used keys: clients' keys are stored, so that they outlive a restart, all others are in memory. */
export interface KeyTables {
  readonly clients: IdempotencyTable;
  readonly anonymous: IdempotencyTable;
}

/** Returns who sent a request: `client ID`, or without a token `address KEY` with the key of `createAddressKey`. */
export const getPrincipal = ({ principal, address }: Pick<Exchange, 'principal' | 'address'>): string =>
  principal === null ? `address ${createAddressKey(address)}` : `client ${principal.clientId}`;

/**
 * Claims the key for the principal, path and body of a request, calls `run`, for a replay too, and returns its result and whether
 * the request is a replay. If `run` throws, a key that is new is free again. Without a key, `runOnce` only calls `run`.
 *
 * @throws ApiError `idempotency_conflict` if the key was used with another body
 */
export async function runOnce<T>(
  options: {
    exchange: Exchange;
    /** Who sent the request, in any form that differs for each sender. @defaultValue the result of `getPrincipal` */
    principal?: string;
    keys: KeyTables;
    clock: Clock;
    key: string | null;
    body: unknown;
  },
  run: () => Promise<T>,
): Promise<{ result: T; replayed: boolean }> {
  const { exchange, principal = getPrincipal(exchange), keys, clock, key, body } = options;
  if (key === null) return { result: await run(), replayed: false };
  const table = exchange.principal === null ? keys.anonymous : keys.clients;
  const use = { scope: [principal, exchange.path], did: 'was used', thing: 'request' };
  const { replayed, release } = await claimKey(table, { key, body }, use, clock.now());
  try {
    return { result: await run(), replayed };
  } catch (error) {
    await release();
    throw error;
  }
}

/** Returns a response marked as a replay of an earlier request, by the header `Idempotent-Replayed: true`. */
export const markAsReplay = (answer: Answer): Answer => ({
  ...answer,
  headers: { ...answer.headers, 'idempotent-replayed': 'true' },
});
