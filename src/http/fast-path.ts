/** The fast path: a response that was sent before is sent again with a lookup, prepared headers and one write, at half the cost. */
import type { AnsweredSearch } from '../operations/operation.ts';
import { isSandboxPath } from './answer.ts';
import { isUnchanged } from './conditional-range.ts';
import { type Exchange, header } from './exchange.ts';
import type { Coding } from './negotiation.ts';
import { rateState } from './rate.ts';
import type { Rendition } from './renditions.ts';
import type { State } from './state.ts';
import type { Prepared, Writer } from './writer.ts';

/** What is served now: the same object for as long as every response stays true. */
export interface Current {
  readonly production: Pick<State['production'], 'feedStatus'>;
}

export interface FastPath {
  /** Whether the answer to a request is ready. */
  has(exchange: Exchange, current: Current): boolean;
  /** Serves an admitted request if its response is ready; false leaves it to the ordinary path. */
  answer(exchange: Exchange, current: Current): boolean;
  /** Readies what the ordinary path gives an admitted request, which `current` was there for when it came. */
  keep(exchange: Exchange, current: Current, rendition: Rendition, coding: Coding): void;
}

/** Counts a search that got a response. */
export type CountSearch = (search: AnsweredSearch) => void;

/** An answer to one request target with one Accept and one Accept-Encoding, with a token or without. */
interface Ready {
  readonly authorized: boolean;
  readonly accept: string;
  readonly acceptEncoding: string;
  readonly route: string;
  readonly needsFeed: boolean;
  readonly search: AnsweredSearch | null;
  /** Whether parts of it may be asked for, which the ordinary path cuts. */
  readonly hasParts: boolean;
  readonly etag: string;
  readonly full: Kept;
  readonly unchanged: Kept;
}

/** Header names and values in turn, as they are sent; some of the values are filled in for each request. */
interface Kept extends Prepared {
  readonly headers: readonly string[];
  readonly idAt: number;
  readonly remainingAt: number;
  readonly resetAt: number;
  readonly stateAt: number;
}

/**
 * GETs outside the sandbox, which may be told to fail. A token changes only who may cache a response, and which rate
 * limit it counts against. Whatever is held goes with the state that it was made for, and all at once when it is more than
 * `maxBytes`.
 */
export function createFastPath(
  writer: Pick<Writer, 'send' | 'headersOf' | 'describe'>,
  countSearch: CountSearch,
  { maxBytes = 16_000_000, maxTargets = 4000 } = {},
): FastPath {
  const targets = new Map<string, Ready[]>();
  let heldFor: Current | null = null;
  let bytes = 0;

  const find = (exchange: Exchange, current: Current): Ready | undefined => {
    if (current !== heldFor || exchange.method !== 'GET') return undefined;
    const held = targets.get(exchange.request.url ?? '');
    if (held === undefined) return undefined;
    const accept = header(exchange, 'accept');
    const acceptEncoding = header(exchange, 'accept-encoding');
    const authorized = isAuthorized(exchange);
    for (const ready of held) {
      const isSame = ready.accept === accept && ready.acceptEncoding === acceptEncoding;
      if (!isSame || ready.authorized !== authorized) continue;
      if (ready.hasParts && exchange.request.headers.range !== undefined) return undefined;
      return ready.needsFeed && current.production.feedStatus().state === 'stale' ? undefined : ready;
    }
    return undefined;
  };

  const clear = (): void => {
    targets.clear();
    bytes = 0;
  };

  const prepared = (
    exchange: Exchange,
    status: 200 | 304,
    body: string | Buffer,
    headers: readonly string[],
  ): Kept => ({
    status,
    body,
    description: writer.describe(exchange, status, body.length, null),
    headers,
    idAt: headers.indexOf('x-request-id') + 1,
    remainingAt: headers.indexOf('ratelimit-remaining') + 1,
    resetAt: headers.indexOf('ratelimit-reset') + 1,
    stateAt: headers.indexOf('ratelimit') + 1,
  });

  return {
    has: (exchange, current) => find(exchange, current) !== undefined,

    answer(exchange, current) {
      const ready = find(exchange, current);
      if (ready === undefined || exchange.decision === null) return false;
      exchange.route = ready.route;
      const kept = isUnchanged(exchange, 200, ready.etag) ? ready.unchanged : ready.full;
      const { decision, policy } = exchange;
      const headers = kept.headers.slice();
      headers[kept.idAt] = exchange.id;
      headers[kept.remainingAt] = String(decision.remaining);
      headers[kept.resetAt] = String(decision.resetSeconds);
      headers[kept.stateAt] = rateState(policy, decision);
      writer.send(exchange, kept, headers);
      if (ready.search !== null) countSearch(ready.search);
      return true;
    },

    keep(exchange, current, rendition, coding) {
      const { request, method, path, route } = exchange;
      const url = request.url ?? '';
      if (method !== 'GET' || isSandboxPath(path) || url.length > maxLength) return;
      if (rendition.needsFeed && current.production.feedStatus().state === 'stale') return;
      if (current !== heldFor) clear();
      heldFor = current;
      const accept = header(exchange, 'accept');
      const acceptEncoding = header(exchange, 'accept-encoding');
      const held = targets.get(url) ?? [];
      if (held.length === maxForms || accept.length + acceptEncoding.length > maxLength) return;
      const coded = rendition.coded(coding);
      bytes += coded.bytes.length + 4000;
      if (bytes > maxBytes || targets.size >= maxTargets) clear();
      const full = prepared(exchange, 200, coded.bytes, writer.headersOf(exchange, 200, rendition, coded));
      const unchanged = prepared(exchange, 304, '', writer.headersOf(exchange, 304, rendition, coded));
      const { needsFeed, search } = rendition;
      const authorized = isAuthorized(exchange);
      const { etag } = coded;
      const hasParts = rendition.headers['accept-ranges'] !== undefined;
      targets.set(url, [
        ...held,
        { authorized, accept, acceptEncoding, route, needsFeed, search, hasParts, etag, full, unchanged },
      ]);
    },
  };
}

const isAuthorized = ({ request }: Exchange): boolean => request.headers.authorization !== undefined;

/** Maximum length of a cached request target, and of its Accept and Accept-Encoding together, in characters. */
const maxLength = 512;
/** Maximum number of different Accept and Accept-Encoding of one target. */
const maxForms = 16;
