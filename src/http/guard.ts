/** Checks that a request is framed, addressed and named in one way only: target, version, Host, framing, size (RFC 9112). */

import type { IncomingMessage } from 'node:http';
import { formatKibibytes } from '../base/amount-in-words.ts';
import { ApiError } from '../base/api-error.ts';
import { maxHeadBytes } from '../base/request-limits.ts';

/** The outcome of the checks of a request's head: its path and query, or what is wrong with it. */
export interface Checked {
  /** Why the request is refused, or null if it is not. */
  readonly fault: ApiError | null;
  /** The path as it is routed, with unreserved characters decoded, or null if the target has no usable path. */
  readonly path: string | null;
  /** The query without its `?`; empty if there is none. */
  readonly query: string;
  /** Whether nothing behind this request on its connection may be read. */
  readonly isLast: boolean;
}

/** Checks the target, version, Host, framing and size of a request's head, and never throws. */
export function check(request: IncomingMessage): Checked {
  const target = readTarget(request);
  if (target === null) return { fault: badTarget, path: null, query: '', isLast: true };
  const fault = findVersionFault(request) ?? findFieldFault(request, target.authority) ?? findFramingFault(request);
  // A server may ignore Upgrade (RFC 9110 section 7.8), but Node's parser drops what follows the request, so it is the last.
  const isLast = fault !== null || request.headers.upgrade !== undefined;
  return { fault, path: target.path, query: target.query, isLast };
}

interface Target {
  readonly path: string;
  readonly query: string;
  /** The host and port of a target in absolute form, or null for other forms. */
  readonly authority: string | null;
}

/**
 * Returns the parts of the target (section 3.2), or null if it is not a path, an http or https URL or `*`, or has a fragment:
 * programs that ignore a fragment and programs that do not would route the request differently.
 */
function readTarget(request: IncomingMessage): Target | null {
  const url = request.url ?? '';
  if (url.includes('#')) return null;
  if (url.startsWith('/')) return splitTarget(url, null);
  if (url === '*') return { path: '*', query: '', authority: null };
  const [, authority, rest = ''] = /^https?:\/\/([^/?]+)(.*)$/i.exec(url) ?? [];
  return authority === undefined ? null : splitTarget(rest.startsWith('/') ? rest : `/${rest}`, authority);
}

function splitTarget(target: string, authority: string | null): Target {
  const mark = target.indexOf('?');
  const path = normalizePath(mark === -1 ? target : target.slice(0, mark));
  return { path, query: mark === -1 ? '' : target.slice(mark + 1), authority };
}

/**
 * Returns a path with its unreserved characters decoded (RFC 3986 section 6.2.2.2): `%66aq` becomes `faq`. Other encoded
 * characters, such as `%2f`, and segments such as `..` stay as they are.
 */
export const normalizePath = (path: string): string =>
  path.includes('%') ? path.replace(/%(2[DE]|3\d|[46][1-9A-F]|[57][\dA]|5F|7E)/gi, decodeURIComponent) : path;

/**
 * Returns the error of a version other than 1.0 and 1.1 (section 2.3), or null. The parser accepts 0.9 and 2.0 as well, and frames
 * them by different rules.
 */
const findVersionFault = ({ httpVersion }: IncomingMessage): ApiError | null =>
  httpVersion === '1.1' || httpVersion === '1.0' ? null : badVersion;

const hostForm = /^(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._~-]+)(:\d{1,5})?$/;

/**
 * Returns the error of the header fields, or null: with the target they have a maximum size, and exactly one is Host, which is
 * empty or well-formed and equals the host in the target if that has one (section 3.2). HTTP/1.0 may leave it out unless the target
 * has a host.
 */
function findFieldFault(request: IncomingMessage, authority: string | null): ApiError | null {
  const { rawHeaders, httpVersion } = request;
  let hosts = 0;
  let bytes = (request.url ?? '').length;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
    bytes += name.length + (rawHeaders[index + 1] ?? '').length;
  }
  if (bytes > maxHeadBytes) return headTooLarge;
  if (hosts > 1) return severalHosts;
  if (hosts === 0) return httpVersion === '1.0' && authority === null ? null : noHost;
  const host = request.headers.host ?? '';
  if (host !== '' && !hostForm.test(host)) return badHost;
  return authority === null || authority.toLowerCase() === host.toLowerCase() ? null : otherHost;
}

/** Returns the error of a body that is framed neither by its length nor, from HTTP/1.1 on, in chunks (section 6.1), or null. */
function findFramingFault({ headers, httpVersion }: IncomingMessage): ApiError | null {
  const coding = headers['transfer-encoding'];
  if (coding === undefined) return null;
  if (httpVersion !== '1.1') return codingBefore11;
  return coding.toLowerCase() === 'chunked' ? null : badCoding;
}

const toError = (detail: string): ApiError => new ApiError('invalid_request', detail);

// Each error is created once: creating one is costly, and a client that sends one such request may send many.
const badTarget = toError('The request target must be a path, without a fragment. Send it again with a plain path.');
const badVersion = toError('The request line must end in HTTP/1.1 or HTTP/1.0. Send the request in one of them.');
const noHost = toError('The Host header is missing. Send the request again with one Host header.');
const severalHosts = toError('There is more than one Host header. Send the request again with one.');
const badHost = toError('The Host header is not a host and port. Send the request again with one host name.');
const otherHost = toError('The request target names another host than the Host header. Send the same host in both.');
const badCoding = toError('Transfer-Encoding must be chunked, or absent. Send the body with its length.');
const codingBefore11 = toError('HTTP/1.0 has no Transfer-Encoding. Send the body with its length, or use HTTP/1.1.');
/** The failure of a request whose head is too large. */
export const headTooLarge = new ApiError(
  'headers_too_large',
  `The request line and headers are over ${formatKibibytes(maxHeadBytes)}. Send fewer or shorter ones.`,
);
