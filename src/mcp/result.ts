/** JSON text of answers, put together from parts that are made once. */
import type { Search } from '../analytics/search-note.ts';
import type { Members, MessageId } from './message.ts';
import { metaKeys, type RpcError } from './protocol.ts';

/** The fields of a JSON object as text, without its braces: `"tools":[…]`. */
export type MembersText = string;

export const membersOf = (value: object): MembersText => JSON.stringify(value).slice(1, -1);

/** How long a result may be kept, for the versions that say so. */
export interface Freshness {
  readonly ttlMs: number;
}

export interface Result {
  readonly members: MembersText;
  /** On listings, reads and discovery. */
  readonly freshness?: Freshness;
  /** What was looked for, when it answers a search. */
  readonly search?: Search;
}

/** Answers a request's params; throws RpcError or ApiError. */
export type Method = (params: Members) => Result | Promise<Result>;

/** How long listings may be kept: content changes, and clients then see it within minutes. */
export const listingTtlMs = 300_000;

export const successText = (id: MessageId, members: MembersText): string =>
  `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{${members}}}`;

/** What 2026-07-28 adds to every result: that it is whole, how long it holds, and who says so. */
export function completeMembers({ members, freshness }: Result, server: object): MembersText {
  const kept = freshness === undefined ? '' : `,"ttlMs":${freshness.ttlMs},"cacheScope":"public"`;
  const rest = members === '' ? '' : `,${members}`;
  return `"resultType":"complete"${rest}${kept},"_meta":{${JSON.stringify(metaKeys.server)}:${JSON.stringify(server)}}`;
}

export function errorText(id: MessageId | null, { code, message, data }: RpcError): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message, ...(data !== null && { data }) } });
}
