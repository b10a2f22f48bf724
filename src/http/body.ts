/** Reads a request's body within its maximum size, and checks its type. */
import type { IncomingMessage } from 'node:http';
import { finished } from 'node:stream/promises';
import { ApiError } from '../base/api-error.ts';
import { readJson } from '../base/json.ts';
import { maxBodyBytes } from '../base/request-limits.ts';
import { type Exchange, readHeader } from './exchange.ts';

/** Maximum size in bytes of a refused body that is read to its end: a proxy that still sends would report the closing, not the 413. */
const maxDiscardedBytes = 16 * maxBodyBytes;

/**
 * Returns the body's bytes, which are empty without a body, and sends 100 (Continue) first to a client that expects it. Rejects
 * with `payload_too_large` for more than `maxBodyBytes`, but reads a body to its end first if its Content-Length is at most 16
 * times that and the client does not wait for 100; with `unsupported_media_type` if the body is compressed, and with
 * `invalid_request` if the connection breaks. The first and the last of these close the connection.
 */
export async function readBody(exchange: Exchange): Promise<Buffer> {
  const { request } = exchange;
  const coding = readHeader(exchange, 'content-encoding').trim().toLowerCase();
  if (coding !== '' && coding !== 'identity') {
    throw new ApiError(
      'unsupported_media_type',
      `A body with Content-Encoding ${coding.slice(0, 40)} is not supported. Send it uncompressed.`,
    );
  }
  const expectsContinue = readHeader(exchange, 'expect').toLowerCase() === '100-continue';
  const length = Number(readHeader(exchange, 'content-length'));
  if (length > maxBodyBytes) {
    if (!expectsContinue && length <= maxDiscardedBytes) await discard(request);
    throw createTooLargeError();
  }
  if (expectsContinue) exchange.response.writeContinue();
  // A request with neither header has no body (RFC 9112 section 6.3), and its stream never ends.
  if (readHeader(exchange, 'content-length') === '' && readHeader(exchange, 'transfer-encoding') === '')
    return Buffer.alloc(0);
  // An async iterator over the stream would cost as much as responding to a small request.
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const failBroken = (cause?: unknown): void => {
      const detail = 'The connection broke before the whole body arrived. Send it again.';
      reject(new ApiError('invalid_request', detail, { headers: { connection: 'close' }, cause }));
    };
    // The client may have closed the connection while the admission waited for the store.
    if (request.destroyed && !request.complete) failBroken();
    request
      .on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size <= maxBodyBytes) chunks.push(chunk);
        else {
          request.pause();
          reject(createTooLargeError());
        }
      })
      .on('end', () => resolve(Buffer.concat(chunks)))
      .on('error', failBroken)
      .on('close', () => {
        if (!request.complete) failBroken();
      });
  });
}

/** Reads the body to its end, or to the end of its connection, and drops it; never rejects. */
const discard = (request: IncomingMessage): Promise<void> => finished(request.resume()).catch(() => {});

const createTooLargeError = (): ApiError =>
  new ApiError('payload_too_large', `The body is over ${maxBodyBytes} bytes. Send less.`, {
    headers: { connection: 'close' },
  });

/** Throws `unsupported_media_type` (415) unless the request's Content-Type is `mediaType`; parameters such as charset are allowed. */
export function requireMediaType(exchange: Exchange, mediaType: string): void {
  const contentType = readHeader(exchange, 'content-type');
  if (contentType.split(';')[0]?.trim().toLowerCase() === mediaType) return;
  const quotedType = contentType === '' ? 'none' : JSON.stringify(contentType.slice(0, 80));
  throw new ApiError('unsupported_media_type', `Content-Type must be ${mediaType}; you sent ${quotedType}.`, {
    headers: { 'accept-post': mediaType },
  });
}

/** Returns the JSON value of a body. Throws `invalid_request` with the place of the first fault; an empty body is one. */
export function parseJson(bytes: Buffer): unknown {
  const result = readJson(bytes);
  if (result.fault === null) return result.value;
  const detail = `The body is ${result.fault}${result.fault === 'empty' ? '; send a JSON object' : ''}.`;
  throw new ApiError('invalid_request', detail, { errors: [{ field: 'body', code: 'malformed', detail }] });
}
