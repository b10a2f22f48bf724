/** Decides how much of a representation a response has: nothing (a 304), one range of bytes, or all of it (RFC 9110 sections 13 and 14). */
import { Readable } from 'node:stream';
import { ApiError } from '../base/api-error.ts';
import { isAmong, isSame } from '../base/entity-tag.ts';
import type { StreamedAnswer } from './answer.ts';
import { type Exchange, readHeader } from './exchange.ts';

/**
 * Returns whether a request gets a 304: a read that would be 200, with a representation whose tag the client names (section 13.2.2);
 * `etag` is that of the content coding that this request selects. Only If-None-Match decides: without a date of modification,
 * If-Modified-Since is ignored, alone too (section 13.1.3).
 */
export const isUnchanged = (exchange: Exchange, status: number, etag: string): boolean =>
  status === 200 &&
  (exchange.method === 'GET' || exchange.method === 'HEAD') &&
  isAmong(readHeader(exchange, 'if-none-match'), etag);

/** Headers of a response that supports range requests. */
export const rangeHeaders = { 'accept-ranges': 'bytes' } as const;

/** Byte positions from 0, both inclusive. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/**
 * Returns whether the request is for a part of a response that supports ranges; `headers` are those of the response. Only GET has
 * ranges (section 14.2).
 */
export const wantsPart = (exchange: Exchange, headers: Readonly<Record<string, string>>): boolean =>
  headers['accept-ranges'] !== undefined && exchange.method === 'GET' && exchange.request.headers.range !== undefined;

/**
 * Returns the range that the request is for, cut at the end of the representation, whose size in bytes is `length` and whose tag is
 * `etag`. Null means the whole representation: if Range is missing, malformed, in another unit, of several ranges (section 14.2),
 * or meant for another representation (If-Range, section 13.1.5).
 *
 * @throws ApiError `range_not_satisfiable` if the representation has no such bytes
 */
export function readRange(exchange: Exchange, etag: string, length: number): ByteRange | null {
  const condition = readHeader(exchange, 'if-range').trim();
  // Responses have no date of modification, so a date never matches.
  if (condition !== '' && !isSame(condition, etag)) return null;
  const [, from, to] = /^\s*bytes=\s*(\d*)\s*-\s*(\d*)\s*$/i.exec(readHeader(exchange, 'range')) ?? [];
  if (from === undefined || to === undefined || `${from}${to}` === '') return null;
  if (from === '')
    return Number(to) === 0 ? refuseRange(length) : limitRange(Math.max(0, length - Number(to)), length, length);
  if (to !== '' && Number(to) < Number(from)) return null;
  return limitRange(Number(from), to === '' ? length : Number(to), length);
}

const limitRange = (first: number, last: number, length: number): ByteRange =>
  first < length ? { first, last: Math.min(last, length - 1) } : refuseRange(length);

/** Returns the header `content-range`, in lower case, of a response with a part, such as `bytes 0-99/1000`. */
export const writeContentRange = ({ first, last }: ByteRange, length: number): Record<string, string> => ({
  'content-range': `bytes ${first}-${last}/${length}`,
});

/** Returns the part of `bytes` in a range; of a string, which has one character per byte, it is a string. */
export const slicePart = <T extends string | Buffer>(bytes: T, { first, last }: ByteRange): string | Buffer =>
  typeof bytes === 'string' ? bytes.slice(first, last + 1) : bytes.subarray(first, last + 1);

/**
 * Returns a 206 with the part of a streamed response that the request is for, or the response as it is if that is for the whole or
 * its length is unknown. Throws `range_not_satisfiable` if the response has no such bytes.
 */
export function streamPart(exchange: Exchange, whole: StreamedAnswer): StreamedAnswer {
  const { length, headers } = whole;
  const range = length === null || !wantsPart(exchange, headers) ? null : readRange(exchange, whole.etag, length);
  if (length === null || range === null) return whole;
  return {
    ...whole,
    status: 206,
    headers: { ...headers, ...writeContentRange(range, length) },
    length: range.last - range.first + 1,
    stream: () => Readable.from(slicePieces(whole.stream(), range)),
  };
}

async function* slicePieces(pieces: AsyncIterable<Uint8Array>, { first, last }: ByteRange): AsyncGenerator<Uint8Array> {
  let position = 0;
  for await (const piece of pieces) {
    const part = piece.subarray(Math.max(0, first - position), Math.max(0, last + 1 - position));
    position += piece.length;
    if (part.length > 0) yield part;
    if (position > last) return;
  }
}

function refuseRange(length: number): never {
  throw new ApiError(
    'range_not_satisfiable',
    `The file has ${length} bytes. Ask for bytes below that, or leave out Range.`,
    {
      headers: { ...rangeHeaders, 'content-range': `bytes */${length}` },
    },
  );
}
