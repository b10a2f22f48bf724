/** Writes every response: adds the headers that all have, decides conditions, ranges and HEAD, and logs the line. */
import { pipeline } from 'node:stream/promises';
import type { Clock } from '../base/clock.ts';
import { createEtag } from '../base/entity-tag.ts';
import { isIdempotencyKey } from '../base/request-limits.ts';
import type { Service } from '../operations/context.ts';
import { createVersionHeaders } from '../operations/versions.ts';
import type { AccessLog } from './access-log.ts';
import { type Answer, type LazyAnswer, type StreamedAnswer, writeCacheControl } from './answer.ts';
import { listHeaders } from './common-headers.ts';
import { isUnchanged, readRange, slicePart, streamPart, wantsPart, writeContentRange } from './conditional-range.ts';
import { type Exchange, readHeader } from './exchange.ts';
import type { Coding } from './negotiation.ts';
import type { Coded, Rendition } from './renditions.ts';
import { createResponseBatch } from './response-batch.ts';

/** A response without its headers: the part of a cached one that is the same for everybody. */
export interface Prepared {
  readonly status: number;
  /** The bytes, as a Buffer or as a string with one character per byte (latin1); empty if there is no body. */
  readonly body: string | Buffer;
  /** The part of the access line that describes request and response, from `AccessLog.describe`. */
  readonly description: string;
}

type ExtraHeaders = Readonly<Record<string, string>>;

/** The writer of responses of every form, which decides about 304 and HEAD, adds the headers that all responses have, and logs them. */
export interface Writer {
  /** Writes a response whose body is known. Throws a TypeError for an invalid header, before anything is sent. */
  answer(exchange: Exchange, answer: Answer): void;
  /**
   * Writes a response whose body is created unless the response is a 304; HEAD needs its length. Rejects with the error of
   * `answer.body()`, before anything is sent.
   */
  lazyAnswer(exchange: Exchange, answer: LazyAnswer): Promise<void>;
  /**
   * Writes a response whose bytes are created while they are sent. Rejects if they cannot be created, even after the headers have
   * left, which ends the connection, and with `range_not_satisfiable`; resolves if the client leaves.
   */
  streamedAnswer(exchange: Exchange, answer: StreamedAnswer): Promise<void>;
  /**
   * Writes a rendition in a coding; `extra` are headers that depend on this request, by lower-case names. Throws
   * `range_not_satisfiable` if it does not have the bytes that the request is for.
   */
  rendition(exchange: Exchange, rendition: Rendition, coding: Coding, extra?: ExtraHeaders): void;
  /** Returns the headers that a rendition is sent with, names and values in turn. */
  listRenditionHeaders(exchange: Exchange, status: 200 | 304, rendition: Rendition, codedBody: Coded): string[];
  /**
   * Sends a response, alone or with others, and then writes its access line. `headers` are names and values in turn; an invalid one
   * throws a TypeError before anything is sent.
   */
  send(exchange: Exchange, response: Prepared, headers: string[]): void;
  /** Returns the description of a response as `AccessLog.describe` does. */
  describe: AccessLog['describe'];
  /** Sends the responses that wait to leave together, before something that may take longer. */
  flush(): void;
}

/** Options of the writer. */
export interface WriterOptions {
  readonly service: Service;
  readonly clock: Clock;
  readonly accessLog: AccessLog;
}

/** Creates the writer through which all responses of a server are sent and logged. */
export function createWriter({ service, clock, accessLog }: WriterOptions): Writer {
  const responses = createResponseBatch();

  const createHeaderList = (
    exchange: Exchange,
    status: number,
    { headers, cache }: Pick<Answer, 'headers' | 'cache'>,
    { etag, length }: { readonly etag: string; readonly length: number | null },
  ): string[] => {
    const key = exchange.method === 'POST' ? readHeader(exchange, 'idempotency-key') : '';
    return listHeaders(exchange, {
      apiVersion: service.apiVersion,
      etag,
      length: status === 304 || status === 204 ? null : length,
      headers: {
        ...headers,
        'cache-control': writeCacheControl(cache, readHeader(exchange, 'authorization') !== ''),
        ...(isIdempotencyKey(key) && { 'idempotency-key': key }),
      },
      version: listVersionHeaders(exchange.path, service, clock.now()),
    });
  };

  const listRenditionHeaders = (
    exchange: Exchange,
    status: 200 | 206 | 304,
    rendition: Rendition,
    { bytes, etag, coding }: Coded,
    extra: ExtraHeaders = {},
  ): string[] => {
    const headers = { ...rendition.headers, ...(coding !== 'identity' && { 'content-encoding': coding }), ...extra };
    return createHeaderList(exchange, status, { headers, cache: rendition.cache }, { etag, length: bytes.length });
  };

  const send: Writer['send'] = (exchange, { status, body, description }, headers) => {
    const { response } = exchange;
    // `writeHead` is called here, so that an invalid header is thrown to the caller; nothing is sent before `end`.
    response.writeHead(status, headers);
    const deliver = (): void => {
      response.end(body, 'latin1');
      exchange.endedAt = clock.monotonic();
      accessLog.write(exchange, status, description);
    };
    if (isReceived(exchange)) responses.add(deliver);
    else deliver();
  };

  const sendBody = (
    exchange: Exchange,
    status: number,
    bytes: string | Buffer,
    headers: string[],
    code: string | null = null,
  ): void => {
    const body = exchange.method === 'HEAD' || status === 304 || status === 204 ? '' : bytes;
    send(exchange, { status, body, description: accessLog.describe(exchange, status, body.length, code) }, headers);
  };

  const answer: Writer['answer'] = (exchange, full) => {
    const { body, encoded, error } = full;
    const bytes = encoded === true || typeof body !== 'string' ? body : Buffer.from(body);
    const etag = full.etag ?? createEtag(bytes);
    const status = isUnchanged(exchange, full.status, etag) ? 304 : full.status;
    const headers = createHeaderList(exchange, status, full, { etag, length: bytes.length });
    sendBody(exchange, status, bytes, headers, error?.code ?? null);
  };

  return {
    answer,
    async lazyAnswer(exchange, { body, ...head }) {
      const isSent = !isUnchanged(exchange, head.status, head.etag);
      answer(exchange, { ...head, body: isSent ? await body() : '' });
    },
    async streamedAnswer(exchange, whole) {
      const isSame = isUnchanged(exchange, whole.status, whole.etag);
      const part = isSame ? { ...whole, status: 304 } : streamPart(exchange, whole);
      const { status } = part;
      const headers = createHeaderList(exchange, status, part, part);
      if (isSame || exchange.method === 'HEAD') return sendBody(exchange, status, '', headers);
      const { response } = exchange;
      let sentBytes = 0;
      const body = part.stream();
      body.on('data', (bytes: Buffer) => {
        sentBytes += bytes.length;
      });
      response.writeHead(status, headers);
      try {
        await pipeline(body, response);
      } catch (error) {
        if (!isDisconnect(error)) throw error;
      } finally {
        exchange.endedAt = clock.monotonic();
        accessLog.write(exchange, status, accessLog.describe(exchange, status, sentBytes, null));
      }
    },
    rendition(exchange, rendition, coding, extra) {
      const codedBody = rendition.coded(coding);
      const { bytes, etag } = codedBody;
      const status = isUnchanged(exchange, 200, etag) ? 304 : 200;
      const isPart = status === 200 && wantsPart(exchange, rendition.headers);
      const range = isPart ? readRange(exchange, etag, bytes.length) : null;
      if (range === null) {
        return sendBody(exchange, status, bytes, listRenditionHeaders(exchange, status, rendition, codedBody, extra));
      }
      const part = { ...codedBody, bytes: slicePart(bytes, range) };
      const headers = { ...extra, ...writeContentRange(range, bytes.length) };
      sendBody(exchange, 206, part.bytes, listRenditionHeaders(exchange, 206, rendition, part, headers));
    },
    listRenditionHeaders,
    send,
    describe: accessLog.describe,
    flush: responses.flush,
  };
}

/** Returns whether a response failed because the client closed the connection, which is not a fault of the server. */
const isDisconnect = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  ['ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_DESTROYED', 'ECONNRESET', 'EPIPE'].includes(String(error.code));

/**
 * Returns Deprecation, Link and, if it is planned, Sunset, by lower-case names, of the API version that a path belongs to, or an
 * empty object for a current version or another path. `now` is in milliseconds since 1970.
 */
function listVersionHeaders(path: string, service: Service, now: number): Record<string, string> {
  const name = /^\/api\/([^/]+)/.exec(path)?.[1];
  const version = service.versions.find((candidate) => candidate.name === name);
  return version === undefined ? {} : createVersionHeaders(version, now, service.baseUrl);
}

/** Returns whether the whole request has been received: after an early response the connection may have to be closed at once. */
const isReceived = ({ request: { complete, headers } }: Exchange): boolean =>
  complete || (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined);
