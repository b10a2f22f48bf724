/** Idempotency-Key on a POST: the same key with another body is a conflict, with the same body a replay. */
import type { Clock } from '../../base/clock.ts';
import { isIdempotencyKey, mostKeyCharacters } from '../../base/request-limits.ts';
import type { Answer } from '../../http/answer.ts';
import type { Exchange } from '../../http/exchange.ts';
import { addressKey } from '../../limits/address-key.ts';
import { invalidRequest } from '../../operations/input.ts';
import { claimKey, type IdempotencyTable } from '../../store/idempotency.ts';

/** The key without its quotes, or null when none was sent; 400 when it breaks the pattern. */
export function idempotencyKey(exchange: Exchange): string | null {
  const sent = exchange.request.headers['idempotency-key'];
  if (sent === undefined) return null;
  const text = String(sent);
  const key = /^"(.*)"$/.exec(text)?.[1] ?? text;
  if (isIdempotencyKey(text) && key !== '') return key;
  const detail = `Idempotency-Key must be 1 to ${mostKeyCharacters} visible ASCII characters without spaces.`;
  throw invalidRequest([{ field: 'Idempotency-Key', code: 'malformed', detail }]);
}

/** Where keys are kept: those of clients on disk, so that they outlive a restart, all others in memory. */
export interface KeyTables {
  readonly clients: IdempotencyTable;
  readonly anonymous: IdempotencyTable;
}

/** Whose keys a request's are: its client's, or without a token its address's. */
export function keeperOf(
  exchange: Exchange,
  { clients, anonymous }: KeyTables,
): { table: IdempotencyTable; principal: string } {
  return { table: exchange.principal === null ? anonymous : clients, principal: principalOf(exchange) };
}

/** Whoever sends a request, as one text. */
export const principalOf = ({ principal, address }: Pick<Exchange, 'principal' | 'address'>): string =>
  principal === null ? `address ${addressKey(address)}` : `client ${principal.clientId}`;

/**
 * Claims the key for this principal, path and body, runs, and says whether it is a replay. A request that is refused
 * leaves the key free. Without a key it only runs.
 */
export async function once<T>(
  options: {
    table: IdempotencyTable;
    clock: Clock;
    principal: string;
    path: string;
    key: string | null;
    body: unknown;
  },
  run: () => Promise<T>,
): Promise<{ result: T; replayed: boolean }> {
  const { table, clock, principal, path, key, body } = options;
  if (key === null) return { result: await run(), replayed: false };
  const use = { scope: [principal, path], did: 'was used', thing: 'request' };
  const { replayed, release } = await claimKey(table, { key, body }, use, clock.now());
  try {
    return { result: await run(), replayed };
  } catch (error) {
    await release();
    throw error;
  }
}

/** The stored response, marked as a replay of an earlier request's. */
export const asReplay = (answer: Answer): Answer => ({
  ...answer,
  headers: { ...answer.headers, 'idempotent-replayed': 'true' },
});
