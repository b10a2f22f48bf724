/** What Node's HTTP parser refuses, answered as a problem document like everything else. */

import type { Socket } from 'node:net';
import { ApiError } from '../base/api-error.ts';
import { etagOf } from '../base/hash.ts';
import type { Decision } from '../limits/sliding-window.ts';
import { problemAnswer } from './answer.ts';
import { STATUS_CODES } from './node-http.ts';
import { rateHeaders } from './rate.ts';

/** The failure behind a parser error's code. */
export function parserError(code: string | undefined): ApiError {
  switch (code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new ApiError('request_timeout', 'The request did not arrive in full in time. Send it without pauses.');
    case 'HPE_HEADER_OVERFLOW':
      return new ApiError(
        'headers_too_large',
        'The request line and headers are over 16 KiB. Send fewer or shorter ones.',
      );
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new ApiError('payload_too_large', 'The chunk extensions are over 16 KiB. Send the body without them.');
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
  facts: { id: string; baseUrl: string; apiVersion: string; decision: Decision },
): void {
  const answer = problemAnswer(error, { id: facts.id, path: '/' }, facts.baseUrl);
  const body = typeof answer.body === 'string' ? answer.body : answer.body.toString();
  const lines = [`HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status] ?? ''}`];
  const set = (name: string, value: string) => lines.push(`${name}: ${value}`);
  for (const [name, value] of Object.entries(answer.headers)) set(name, value);
  set('content-length', String(Buffer.byteLength(body)));
  set('etag', etagOf(body));
  set('x-request-id', facts.id);
  set('api-version', facts.apiVersion);
  rateHeaders('anonymous', facts.decision, set);
  set('access-control-allow-origin', '*');
  set('x-content-type-options', 'nosniff');
  set('connection', 'close');
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`);
}
