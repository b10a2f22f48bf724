/** JSON of answers, put together from parts that are made once. */

import { etagOf } from '../base/entity-tag.ts';
import type { AnsweredSearch } from '../operations/operation.ts';
import { asBytes, type Encoded, encodedText } from '../operations/representation.ts';
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
  readonly search?: AnsweredSearch;
}

/** Answers a request's params; throws RpcError or ApiError. */
export type Method = (params: Members) => Result | Promise<Result>;

/** How long listings may be kept: content changes, and clients then see it within minutes. */
export const listingTtlMs = 300_000;

const encodings = new WeakMap<Result, Encoded>();

/** Its fields as bytes, made once for each result: a tool's result is kept for the calls that are equal. */
function encodedMembers(result: Result): Encoded {
  const known = encodings.get(result);
  if (known !== undefined) return known;
  // A text in ASCII is its own bytes, and is not held twice.
  const made = { bytes: asBytes(result.members), etag: etagOf(result.members) };
  encodings.set(result, made);
  return made;
}

/**
 * The response with a result. Its tag is made from the result's, since hashing all of it again would be a tenth of a call. `server`, for 2026-07-28:
 * what that version adds to every result is that it is whole, how long it holds, and who says so.
 */
export function success(id: MessageId, result: Result, server: object | null): Encoded {
  const members = encodedMembers(result);
  const [before, after] = server === null ? ['', ''] : aroundMembers(result, server);
  const head = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{${before}`;
  const tail = `${after}}}`;
  return {
    bytes: asBytes(head) + members.bytes + asBytes(tail),
    etag: etagOf(`${head}\n${members.etag}\n${tail}`),
  };
}

function aroundMembers({ members, freshness }: Result, server: object): [string, string] {
  const kept = freshness === undefined ? '' : `,"ttlMs":${freshness.ttlMs},"cacheScope":"public"`;
  const meta = `,"_meta":{${JSON.stringify(metaKeys.server)}:${JSON.stringify(server)}}`;
  return [`"resultType":"complete"${members === '' ? '' : ','}`, kept + meta];
}

export function errorResponse(id: MessageId | null, { code, message, data }: RpcError): Encoded {
  return encodedText(JSON.stringify({ jsonrpc: '2.0', id, error: { code, message, ...(data !== null && { data }) } }));
}

/** The responses to a batch. */
export const batchOf = (responses: readonly Encoded[]): Encoded => ({
  bytes: `[${responses.map(({ bytes }) => bytes).join(',')}]`,
  etag: etagOf(responses.map(({ etag }) => etag).join('\n')),
});

/** A response as the one event of a stream. */
export const eventOf = ({ bytes, etag }: Encoded): Encoded => ({
  bytes: `event: message\ndata: ${bytes}\n\n`,
  etag: etagOf(`event\n${etag}`),
});
