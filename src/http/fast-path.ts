/** The fast path: sends a response again with a lookup, prepared headers and one write, at half the cost of the ordinary path. */
import type { AnsweredSearch } from '../operations/operation.ts';
import { isSandboxPath } from './answer.ts';
import { isUnchanged } from './conditional-range.ts';
import { type Exchange, readHeader } from './exchange.ts';
import type { Coding } from './negotiation.ts';
import { formatRateLimit } from './rate.ts';
import type { Rendition } from './renditions.ts';
import type { State } from './state.ts';
import type { Prepared, Writer } from './writer.ts';

/**
 * The state that is served: the same object for as long as every prepared response stays valid. Only `production` is read, because
 * responses of the sandbox are not prepared.
 */
type Current = Pick<State, 'production'>;

/** The prepared responses to GETs, which are sent without routing and rendering. */
export interface FastPath {
  /** Returns whether the response to a request is prepared; false also for a range, and if it depends on a stale feed. */
  has(exchange: Exchange, current: Current): boolean;
  /** Sends the response to an admitted request if it is prepared, and counts its search. Returns whether it was sent. */
  answer(exchange: Exchange, current: Current): boolean;
  /**
   * Prepares the response that the ordinary path sent to an admitted request in the state `current`, so that `answer` sends it to
   * equal ones. Does nothing for methods other than GET, the sandbox, long targets or Accept headers, a stale feed, a response that
   * is prepared already, and more than 16 variants of a target.
   */
  keep(exchange: Exchange, current: Current, rendition: Rendition, coding: Coding): void;
}

/** Counts a search that got a response, for the operator’s list of frequent queries. */
export type CountSearch = (search: AnsweredSearch) => void;

/** The response to one request target with one Accept and one Accept-Encoding, with a token or without. */
interface Variant {
  readonly isAuthorized: boolean;
  readonly accept: string;
  readonly acceptEncoding: string;
  readonly route: string;
  readonly rendition: Rendition;
  readonly etag: string;
  readonly full: PreparedHead;
  readonly unchanged: PreparedHead;
}

/**
 * A response with its headers, names and values in turn. The values at these indexes are replaced for each request: X-Request-Id,
 * RateLimit-Remaining, RateLimit-Reset and RateLimit.
 */
interface PreparedHead extends Prepared {
  readonly headers: readonly string[];
  readonly idIndex: number;
  readonly remainingIndex: number;
  readonly resetIndex: number;
  readonly stateIndex: number;
}

/** Maximum length of a cached request target, and of its Accept and Accept-Encoding together, in characters. */
const maxLength = 512;
/** Maximum number of variants of one target. */
const maxVariants = 16;

/**
 * Creates the fast path for GETs outside of the sandbox, in which a request may simulate a failure. A token changes only who may
 * cache a response and which rate limit counts. Everything prepared is dropped with its state, and at once when it would exceed
 * `maxBytes` or `maxTargets` request targets.
 */
export function createFastPath(
  writer: Pick<Writer, 'send' | 'listRenditionHeaders' | 'describe'>,
  countSearch: CountSearch,
  { maxBytes = 16_000_000, maxTargets = 4000 } = {},
): FastPath {
  const targets = new Map<string, Variant[]>();
  let preparedFor: Current | null = null;
  let bytes = 0;

  const findVariant = (exchange: Exchange, current: Current): Variant | undefined => {
    if (current !== preparedFor) return undefined;
    const { url = '', headers } = exchange.request;
    const accept = readHeader(exchange, 'accept');
    const acceptEncoding = readHeader(exchange, 'accept-encoding');
    const isAuthorized = headers.authorization !== undefined;
    return targets
      .get(url)
      ?.find(
        (each) =>
          each.accept === accept && each.acceptEncoding === acceptEncoding && each.isAuthorized === isAuthorized,
      );
  };

  const find = (exchange: Exchange, current: Current): Variant | undefined => {
    const variant = exchange.method === 'GET' ? findVariant(exchange, current) : undefined;
    if (variant === undefined) return undefined;
    const isPart =
      exchange.request.headers.range !== undefined && variant.rendition.headers['accept-ranges'] !== undefined;
    return isPart || isStale(variant.rendition, current) ? undefined : variant;
  };

  const prepare = (
    exchange: Exchange,
    status: 200 | 304,
    body: string | Buffer,
    headers: readonly string[],
  ): PreparedHead => ({
    status,
    body,
    description: writer.describe(exchange, status, body.length, null),
    headers,
    idIndex: headers.indexOf('x-request-id') + 1,
    remainingIndex: headers.indexOf('ratelimit-remaining') + 1,
    resetIndex: headers.indexOf('ratelimit-reset') + 1,
    stateIndex: headers.indexOf('ratelimit') + 1,
  });

  return {
    has: (exchange, current) => find(exchange, current) !== undefined,

    answer(exchange, current) {
      const variant = find(exchange, current);
      const { decision, bucket } = exchange;
      if (variant === undefined || decision === null) return false;
      exchange.route = variant.route;
      const response = isUnchanged(exchange, 200, variant.etag) ? variant.unchanged : variant.full;
      const headers = response.headers.slice();
      headers[response.idIndex] = exchange.id;
      headers[response.remainingIndex] = String(decision.remaining);
      headers[response.resetIndex] = String(decision.resetSeconds);
      headers[response.stateIndex] = formatRateLimit(bucket, decision);
      writer.send(exchange, response, headers);
      if (variant.rendition.search !== null) countSearch(variant.rendition.search);
      return true;
    },

    keep(exchange, current, rendition, coding) {
      const { request, method, path, route } = exchange;
      const { url = '', headers } = request;
      if (method !== 'GET' || isSandboxPath(path) || url.length > maxLength || isStale(rendition, current)) return;
      const accept = readHeader(exchange, 'accept');
      const acceptEncoding = readHeader(exchange, 'accept-encoding');
      if (accept.length + acceptEncoding.length > maxLength || findVariant(exchange, current) !== undefined) return;
      const body = rendition.coded(coding);
      const size = body.bytes.length + 4000;
      if (current !== preparedFor || bytes + size > maxBytes || targets.size >= maxTargets) {
        targets.clear();
        bytes = 0;
      }
      preparedFor = current;
      const variants = targets.get(url) ?? [];
      if (variants.length === maxVariants) return;
      bytes += size;
      const isAuthorized = headers.authorization !== undefined;
      const full = prepare(exchange, 200, body.bytes, writer.listRenditionHeaders(exchange, 200, rendition, body));
      const unchanged = prepare(exchange, 304, '', writer.listRenditionHeaders(exchange, 304, rendition, body));
      const variant = { isAuthorized, accept, acceptEncoding, route, rendition, etag: body.etag, full, unchanged };
      targets.set(url, [...variants, variant]);
    },
  };
}

/** Returns whether a response would need a Cache-Status, which only the ordinary path adds. */
const isStale = ({ needsFeed }: Rendition, { production }: Current): boolean =>
  needsFeed && production.feedStatus().state === 'stale';
