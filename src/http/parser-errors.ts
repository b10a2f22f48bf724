/** What Node's HTTP parser refuses, answered as a problem document like everything else. */

import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { ApiError } from '../base/api-error.ts';
import { etagOf } from '../base/entity-tag.ts';
import type { Decision } from '../limits/sliding-window.ts';
import { cacheControl, type FailedRequest, problemAnswer } from './answer.ts';
import { setHeaders } from './common-headers.ts';
import type { Policy } from './exchange.ts';
import { check, headTooLarge, plainPath } from './guard.ts';
import { reasonPhrases } from './http-server.ts';
import { bucketOf } from './rate.ts';

/** What the parser says of bytes that it cannot read; all of it is absent for a CONNECT. */
export interface Broken {
  readonly code?: string | undefined;
  /** What it was reading, and how much of it was parsed. */
  readonly rawPacket?: Buffer;
  readonly bytesParsed?: number;
}

/** Returns target, path and bucket of what was refused: of the request whose body is at fault, or of an overlong head. */
export function placeOf(
  error: Broken,
  request: IncomingMessage | null,
): { target: string; path: string; policy: Policy } {
  const sent = request?.url ?? (error.code === headOverflow ? pathIn(error) : null);
  const path = request !== null ? check(request).path : sent && plainPath(sent);
  return { target: sent ?? '/', path: path ?? '/', policy: path === null ? 'pages' : bucketOf(path) };
}

const headOverflow = 'HPE_HEADER_OVERFLOW';

/** Returns the path of the last request line in what was read, as it was sent, or null when the line came earlier, or has no end yet. */
function pathIn({ rawPacket, bytesParsed }: Broken): string | null {
  const read = rawPacket?.toString('latin1', 0, bytesParsed) ?? '';
  const path = [...read.matchAll(/^[A-Z-]+ (\/[^\s?#]*)(?:\?| HTTP\/1\.[01]\r)/gm)].at(-1)?.[1];
  return path ?? null;
}

/** The failure behind a parser error's code. */
export function parserError(code: string | undefined): ApiError {
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

/** Writes the whole response and closes: after a parser error nothing on the connection can be trusted. */
export function refuseOnSocket(
  socket: Socket,
  error: ApiError,
  facts: FailedRequest & { baseUrl: string; apiVersion: string; policy: Policy; decision: Decision },
): void {
  const answer = problemAnswer(error, facts, facts.baseUrl);
  const body = typeof answer.body === 'string' ? answer.body : answer.body.toString();
  const lines = [`HTTP/1.1 ${answer.status} ${reasonPhrases[answer.status] ?? ''}`];
  const set = (name: string, value: string) => lines.push(`${name}: ${value}`);
  const { length } = Buffer.from(body);
  setHeaders(
    { ...facts, etag: etagOf(body), length, version: {} },
    { ...answer.headers, 'cache-control': cacheControl(answer.cache, false), connection: 'close' },
    set,
  );
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`);
}
