/** Responds with a problem document to what Node's HTTP parser rejects. */

import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { ApiError } from '../base/api-error.ts';
import { createEtag } from '../base/entity-tag.ts';
import type { Service } from '../operations/context.ts';
import { createProblemAnswer, type FailedRequest, writeCacheControl } from './answer.ts';
import { listHeaders } from './common-headers.ts';
import type { Bucket, Exchange } from './exchange.ts';
import { check, headTooLarge, normalizePath } from './guard.ts';
import { reasonPhrases } from './http-server.ts';
import { findBucket } from './rate.ts';

/** The parser's error for bytes that it cannot read; everything is absent for a CONNECT. */
export interface ParserError {
  readonly code?: string | undefined;
  /** The bytes that the parser was reading, and how many of them it had parsed; absent if it read none, such as after a timeout. */
  readonly rawPacket?: Buffer;
  readonly bytesParsed?: number;
}

/**
 * Returns target, path and bucket of a rejected request: the one whose body is at fault, or one with an overlong head. An unknown
 * target or path is `/`; the bucket of an unknown path is `pages`.
 */
export function findPlace(
  error: ParserError,
  request: IncomingMessage | null,
): { target: string; path: string; bucket: Bucket } {
  const target = request?.url ?? (error.code === headOverflow ? readPath(error) : null);
  const path = request !== null ? check(request).path : target && normalizePath(target);
  return { target: target ?? '/', path: path ?? '/', bucket: path === null ? 'pages' : findBucket(path) };
}

const headOverflow = 'HPE_HEADER_OVERFLOW';

/** Returns the path of the last request line in the parsed bytes, or null if the line came earlier or has no end yet. */
function readPath({ rawPacket, bytesParsed }: ParserError): string | null {
  const text = rawPacket?.toString('latin1', 0, bytesParsed) ?? '';
  const path = [...text.matchAll(/^[A-Z-]+ (\/[^\s?#]*)(?:\?| HTTP\/1\.[01]\r)/gm)].at(-1)?.[1];
  return path ?? null;
}

/** Returns the failure for the code of an error of Node's HTTP parser: `invalid_request` for an unknown code, and without one. */
export function createParserError(code: string | undefined): ApiError {
  switch (code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new ApiError('request_timeout', 'The request did not arrive in full in time. Send it without pauses.');
    case headOverflow:
      return headTooLarge;
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new ApiError('payload_too_large', 'The chunk extensions are too long. Send the body without them.');
    default:
      return new ApiError(
        'invalid_request',
        'This is not a well-formed HTTP/1.1 request. Check the request line, headers and framing.',
      );
  }
}

/**
 * Writes the problem document of `error` as a whole response and ends the connection: after a parser error nothing on it can be
 * trusted. Other members of `request` give the headers of the rate limit and the request ID.
 */
export function refuseOnSocket(
  socket: Socket,
  error: ApiError,
  request: FailedRequest & Pick<Exchange, 'bucket' | 'decision'>,
  { baseUrl, apiVersion }: Pick<Service, 'baseUrl' | 'apiVersion'>,
): void {
  const { status, headers: own, cache, body } = createProblemAnswer(error, request, baseUrl);
  const headers = { ...own, 'cache-control': writeCacheControl(cache, false), connection: 'close' };
  const head = { apiVersion, etag: createEtag(body), length: Buffer.byteLength(body), headers, version: {} };
  const fields = listHeaders(request, head).map((text, index) => (index % 2 === 0 ? `${text}: ` : `${text}\r\n`));
  socket.end(`HTTP/1.1 ${status} ${reasonPhrases[status] ?? ''}\r\n${fields.join('')}\r\n${body}`);
}
