/** Reads a request's body: within its size, and as the type it says. */

import type { IncomingMessage } from 'node:http';
import { ApiError } from '../base/api-error.ts';
import { readJson } from '../base/json.ts';
import { mostBodyBytes } from '../base/request-limits.ts';
import { type Exchange, header } from './exchange.ts';

/**
 * A body that is not much larger is read to its end and thrown away: a proxy that is still sending when the connection
 * closes reports that, in place of the 413.
 */
const mostDiscardedBytes = 16 * mostBodyBytes;

/** The body's bytes. Rejects with 413 as soon as it is known to be too large, and closes the connection then. */
export async function readBody(exchange: Exchange): Promise<Buffer> {
  const { request } = exchange;
  const coding = header(exchange, 'content-encoding').trim().toLowerCase();
  if (coding !== '' && coding !== 'identity') {
    throw new ApiError(
      'unsupported_media_type',
      `A body with Content-Encoding ${coding.slice(0, 40)} is not supported. Send it uncompressed.`,
    );
  }
  const waits = header(exchange, 'expect').toLowerCase() === '100-continue';
  const length = Number(header(exchange, 'content-length'));
  if (length > mostBodyBytes) {
    if (!waits && length <= mostDiscardedBytes) await discard(request);
    throw tooLarge();
  }
  if (waits) exchange.response.writeContinue();
  // Such a request has no body (RFC 9112 section 6.3), and its stream never says that it ends.
  if (header(exchange, 'content-length') === '' && header(exchange, 'transfer-encoding') === '') return Buffer.alloc(0);
  // By its events: going through it as an async iterator costs as much as answering a small request.
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const broken = (cause?: unknown): void => {
      const detail = 'The connection broke before the whole body arrived. Send it again.';
      reject(new ApiError('invalid_request', detail, { headers: { connection: 'close' }, cause }));
    };
    // It may have been aborted while its admission waited.
    if (request.destroyed && !request.complete) broken();
    request
      .on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size <= mostBodyBytes) chunks.push(chunk);
        else {
          request.pause();
          reject(tooLarge());
        }
      })
      .on('end', () => resolve(Buffer.concat(chunks)))
      .on('error', broken)
      .on('close', () => {
        if (!request.complete) broken();
      });
  });
}

/** Ends with the body, or with its connection. */
function discard(request: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    request
      .on('end', resolve)
      .on('close', resolve)
      .on('error', () => resolve())
      .resume();
  });
}

const tooLarge = (): ApiError =>
  new ApiError('payload_too_large', `The body is over ${mostBodyBytes} bytes. Send less.`, {
    headers: { connection: 'close' },
  });

/** Throws 415 unless the request's Content-Type is `mediaType`; parameters such as charset are allowed. */
export function requireMediaType(exchange: Exchange, mediaType: string): void {
  const sent = header(exchange, 'content-type');
  if (sent.split(';')[0]?.trim().toLowerCase() === mediaType) return;
  const had = sent === '' ? 'you sent none' : `you sent ${JSON.stringify(sent.slice(0, 80))}`;
  throw new ApiError('unsupported_media_type', `Content-Type must be ${mediaType}; ${had}.`, {
    headers: { 'accept-post': mediaType },
  });
}

/** The JSON value of a body; `invalid_request` that says where it breaks. */
export function parseJson(bytes: Buffer): unknown {
  const read = readJson(bytes);
  if (read.fault === null) return read.value;
  const detail = `The body is ${read.fault}${read.fault === 'empty' ? '; send a JSON object' : ''}.`;
  throw new ApiError('invalid_request', detail, { errors: [{ field: 'body', code: 'malformed', detail }] });
}
