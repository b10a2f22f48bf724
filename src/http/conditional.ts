/** Whether a request gets a 304: decided here, for every response (RFC 9110 section 13.2.2). */
import { isAmong } from '../base/entity-tag.ts';
import { type Exchange, header } from './exchange.ts';

/** A read that would be 200 with a representation which the client already has. */
export const isUnchanged = (exchange: Exchange, status: number, etag: string): boolean =>
  status === 200 &&
  (exchange.method === 'GET' || exchange.method === 'HEAD') &&
  isAmong(header(exchange, 'if-none-match'), etag);
