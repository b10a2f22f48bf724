/** Results of methods, and the JSON-RPC responses that carry them. */
import type { ApiError } from '../base/api-error.ts';
import type { AnsweredSearch } from '../operations/operation.ts';
import type { JsonObject, MessageId } from './message.ts';
import { metaKeys, type RpcError } from './protocol.ts';

/** The result of a method, before it is written as a response. */
export interface Result {
  /** The fields of the response's `result`. */
  readonly fields: object;
  /** The JSON of `fields`, present only in a result from the cache: writing it again would take a third of a call. */
  readonly json?: string;
  /**
   * How long a client may keep a listing, a resource or a discovery, in milliseconds, which only 2026-07-28 sends; absent for other
   * results.
   */
  readonly ttlMs?: number;
  /** The query and whether it found something; null or absent if the result answers no search. */
  readonly search?: AnsweredSearch | null;
}

/** Answers a request's params; throws RpcError or ApiError, or rejects with one. `sessionless` is true for 2026-07-28. */
export type Method = (params: JsonObject, sessionless: boolean) => Result | Promise<Result>;

/** How long a client may keep a listing, in milliseconds, so that it sees a change of the content within minutes. */
export const listingTtlMs = 300_000;

/**
 * Returns the JSON of the response with a result. `server` is the server's name and version for 2026-07-28, which adds to every
 * result that it is complete and which server returned it, and to one with `ttlMs` how long it may be kept; null for other
 * versions.
 */
export function createSuccessResponse(id: MessageId, { fields, json, ttlMs }: Result, server: object | null): string {
  if (server === null) return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${json ?? JSON.stringify(fields)}}`;
  const freshness = ttlMs !== undefined && { ttlMs, cacheScope: 'public' };
  const result = { resultType: 'complete', ...fields, ...freshness, _meta: { [metaKeys.server]: server } };
  return JSON.stringify({ jsonrpc: '2.0', id, result });
}

/**
 * Returns the sentence of a failure; if it has two or more faults, without its hint to `errors` and with the detail of each fault
 * after it, separated by spaces: a model sees the message alone.
 */
export function describeFaults({ reason, options: { errors = [] } }: ApiError): string {
  return errors.length < 2
    ? reason
    : [reason.replace(' See `errors`.', ''), ...errors.map(({ detail }) => detail)].join(' ');
}

/** Returns the JSON of the response with an error. `id` is null for a message whose ID is unknown. */
export const createErrorResponse = (id: MessageId | null, { code, message, data }: RpcError): string =>
  JSON.stringify({ jsonrpc: '2.0', id, error: { code, message, data } });
