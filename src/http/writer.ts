/** The one place that writes a response: adds what every response carries, answers conditions and HEAD, logs the line. */

import { pipeline } from 'node:stream/promises';
import type { Clock } from '../base/clock.ts';
import { etagOf } from '../base/entity-tag.ts';
import { isIdempotencyKey } from '../base/request-limits.ts';
import type { Service } from '../operations/context.ts';
import { versionHeaders } from '../operations/versions.ts';
import type { AccessLog } from './access-log.ts';
import { type Answer, cacheControl, type LazyAnswer, type StreamedAnswer } from './answer.ts';
import { type CommonFacts, setHeaders } from './common-headers.ts';
import { contentRange, isUnchanged, partOf, rangeOf, streamedPart, wantsPart } from './conditional-range.ts';
import { type Exchange, header } from './exchange.ts';
import type { Coding } from './negotiation.ts';
import type { Coded, Rendition } from './renditions.ts';
import { createResponseBatch } from './response-batch.ts';

/** A response without its headers: the part of a kept one that is the same for everybody. */
export interface Prepared {
  readonly status: number;
  /** '' where there is none. */
  readonly body: string | Buffer;
  /** `latin1` for a text that holds a byte a character. */
  readonly encoding: 'latin1' | 'utf8';
  readonly description: string;
}

export interface Writer {
  answer(exchange: Exchange, answer: Answer): void;
  /** A response whose bytes are made only if they are sent. */
  lazyAnswer(exchange: Exchange, answer: LazyAnswer): Promise<void>;
  /** A response whose bytes are made while they are sent. Rejects when they cannot be made. */
  streamedAnswer(exchange: Exchange, answer: StreamedAnswer): Promise<void>;
  /** A prepared answer in a coding; `extra` are headers that depend on this request. */
  rendition(exchange: Exchange, rendition: Rendition, coding: Coding, extra?: Readonly<Record<string, string>>): void;
  /** The headers that a rendition is sent with, names and values in turn. */
  headersOf(exchange: Exchange, status: 200 | 304, rendition: Rendition, coded: Coded): string[];
  /** Hands a response over, and writes its line in the log as it leaves. `headers` are names and values in turn. */
  send(exchange: Exchange, prepared: Prepared, headers: string[]): void;
  /** The log's description of a response with this many bytes. */
  describe: AccessLog['describe'];
  /** Sends the responses that are held back to leave together, before something that may take longer. */
  flush(): void;
}

export interface WriterOptions {
  readonly service: Service;
  readonly clock: Clock;
  readonly accessLog: AccessLog;
}

export function createWriter(options: WriterOptions): Writer {
  const { service, clock, accessLog } = options;
  const responses = createResponseBatch();

  const headerList = (
    exchange: Exchange,
    status: number,
    headers: Readonly<Record<string, string>>,
    etag: string,
    length: number | null,
  ): string[] => {
    const all: string[] = [];
    const facts: CommonFacts = {
      id: exchange.id,
      path: exchange.path,
      apiVersion: service.apiVersion,
      policy: exchange.policy,
      decision: exchange.decision,
      etag,
      length: status === 304 || status === 204 ? null : length,
      version: versionOf(exchange.path, service, clock.now()),
    };
    setHeaders(facts, headers, (name, value) => all.push(name, value));
    return all;
  };

  const send: Writer['send'] = (exchange, { status, body, encoding, description }, headers) => {
    const { response } = exchange;
    // At once, so that whoever made the response learns of a fault in its headers; none of it is sent before it ends.
    response.writeHead(status, headers);
    const deliver = (): void => {
      response.end(body, encoding);
      exchange.endedAt = clock.monotonic();
      accessLog.write(exchange, status, description);
    };
    if (isRead(exchange)) responses.add(deliver);
    else deliver();
  };

  const sendOnce = (
    exchange: Exchange,
    status: number,
    headers: string[],
    body: string | Buffer,
    encoding: 'latin1' | 'utf8',
    code: string | null = null,
  ): void => {
    const bodiless = exchange.method === 'HEAD' || status === 304 || status === 204;
    const length = encoding === 'latin1' ? body.length : Buffer.byteLength(body);
    const description = accessLog.describe(exchange, status, bodiless ? 0 : length, code);
    send(exchange, { status, body: bodiless ? '' : body, encoding, description }, headers);
  };

  const headersOf = (
    exchange: Exchange,
    status: 200 | 206 | 304,
    rendition: Rendition,
    { bytes, etag, coding }: Coded,
    extra: Readonly<Record<string, string>> = {},
  ): string[] => {
    const headers = {
      ...rendition.headers,
      ...(coding !== 'identity' && { 'content-encoding': coding }),
      ...extra,
    };
    const sent = requestHeaders(exchange, { headers, cache: rendition.cache });
    return headerList(exchange, status, sent, etag, bytes.length);
  };

  const answer: Writer['answer'] = (exchange, given) => {
    // Hashed, measured and sent, a long text would be encoded three times.
    const { body: text } = given;
    const isLongText = given.encoded !== true && typeof text === 'string' && text.length > 8192;
    const measured = isLongText ? { ...given, body: Buffer.from(text) } : given;
    const etag = measured.etag ?? etagOf(measured.body);
    const status = isUnchanged(exchange, measured.status, etag) ? 304 : measured.status;
    const { body, error } = measured;
    const sent = requestHeaders(exchange, measured);
    const length = given.encoded === true ? body.length : Buffer.byteLength(body);
    const headers = headerList(exchange, status, sent, etag, length);
    sendOnce(exchange, status, headers, body, given.encoded === true ? 'latin1' : 'utf8', error?.code ?? null);
  };

  return {
    answer,
    async lazyAnswer(exchange, { body, ...given }) {
      const isSent = !isUnchanged(exchange, given.status, given.etag);
      answer(exchange, { ...given, body: isSent ? await body() : '' });
    },
    async streamedAnswer(exchange, whole) {
      const isSame = isUnchanged(exchange, whole.status, whole.etag);
      const { stream, length, ...given } = isSame ? whole : streamedPart(exchange, whole);
      const status = isSame ? 304 : given.status;
      const headers = headerList(exchange, status, requestHeaders(exchange, given), given.etag, length);
      if (status === 304 || exchange.method === 'HEAD') return sendOnce(exchange, status, headers, '', 'latin1');
      const { response } = exchange;
      let sent = 0;
      const body = stream();
      body.on('data', (bytes: Buffer) => {
        sent += bytes.length;
      });
      response.writeHead(status, headers);
      try {
        await pipeline(body, response);
      } catch (error) {
        if (!hasLeft(error)) throw error;
      } finally {
        exchange.endedAt = clock.monotonic();
        accessLog.write(exchange, status, accessLog.describe(exchange, status, sent, null));
      }
    },
    rendition(exchange, rendition, coding, extra) {
      const made = rendition.coded(coding);
      const status = isUnchanged(exchange, 200, made.etag) ? 304 : 200;
      if (status === 200 && wantsPart(exchange, rendition.headers)) {
        const range = rangeOf(exchange, made.etag, made.bytes.length);
        if (range !== null) {
          const part = { ...made, bytes: partOf(made.bytes, range) };
          const headers = { ...extra, ...contentRange(range, made.bytes.length) };
          return sendOnce(exchange, 206, headersOf(exchange, 206, rendition, part, headers), part.bytes, 'latin1');
        }
      }
      sendOnce(exchange, status, headersOf(exchange, status, rendition, made, extra), made.bytes, 'latin1');
    },
    headersOf,
    send,
    describe: accessLog.describe,
    flush: responses.flush,
  };
}

/** Whether a response could not be written to its end because the client closed the connection, which is no fault. */
const hasLeft = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  ['ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_DESTROYED', 'ECONNRESET', 'EPIPE'].includes(String(error.code));

/**
 * Returns a response's headers with those that depend on the request: Cache-Control, and the Idempotency-Key as it was received.
 */
function requestHeaders(
  exchange: Exchange,
  { headers, cache }: Pick<Answer, 'headers' | 'cache'>,
): Record<string, string> {
  const key = exchange.method === 'POST' ? header(exchange, 'idempotency-key') : '';
  return {
    ...headers,
    'cache-control': cacheControl(cache, header(exchange, 'authorization') !== ''),
    ...(isIdempotencyKey(key) && { 'idempotency-key': key }),
  };
}

/** Deprecation, Sunset and Link of the API version that a path belongs to. */
function versionOf(path: string, service: Service, now: number): Record<string, string> {
  const name = /^\/api\/([^/]+)/.exec(path)?.[1];
  const version = service.versions.find((known) => known.name === name);
  return version === undefined ? {} : versionHeaders(version, now, service.baseUrl);
}

/** Whether the whole request has been received: after an early response the connection may have to be closed at once. */
const isRead = ({ request: { complete, headers } }: Exchange): boolean =>
  complete || (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined);
