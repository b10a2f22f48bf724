/** The fast path: an answer that was given before is given again by a look-up, prepared headers and one write, at half the cost. */
import { isSandboxPath } from './answer.ts';
import { noneMatch } from './conditional.ts';
import { type Exchange, header } from './exchange.ts';
import type { Coding } from './negotiation.ts';
import type { Coded, Rendition } from './renditions.ts';
import type { State } from './state.ts';
import type { Writer } from './writer.ts';

export interface FastPath {
  /** Answers an admitted request if its answer is ready; false leaves it to the ordinary path. */
  answer(exchange: Exchange, state: State): boolean;
  /** Readies what the ordinary path gives an admitted request, which `state` was current for when it came. */
  keep(exchange: Exchange, state: State, rendition: Rendition, coding: Coding): void;
}

/** An answer to one request target with one Accept and one Accept-Encoding. */
interface Ready {
  readonly accept: string;
  readonly acceptEncoding: string;
  readonly route: string;
  readonly needsFeed: boolean;
  readonly coded: Coded;
  readonly full: HeaderList;
  readonly unchanged: HeaderList;
}

/** Names and values in turn, as they are sent; two places are filled in for each request. */
interface HeaderList {
  readonly list: readonly string[];
  readonly idAt: number;
  readonly rateAt: number;
}

/**
 * Anonymous GETs of the production API alone: a token makes an answer private, and the sandbox may be told to fail.
 * Whatever is held goes with the state that it was made for, and all at once when it is more than `mostBytes`.
 */
export function createFastPath(writer: Writer, { mostBytes = 16_000_000, mostTargets = 4000 } = {}): FastPath {
  const targets = new Map<string, Ready[]>();
  let heldFor: State | null = null;
  let bytes = 0;

  const isPlain = ({ method, request }: Exchange): boolean =>
    method === 'GET' && request.headers.authorization === undefined;

  const find = (exchange: Exchange): Ready | undefined => {
    const held = targets.get(exchange.request.url ?? '');
    if (held === undefined) return undefined;
    const accept = header(exchange, 'accept');
    const acceptEncoding = header(exchange, 'accept-encoding');
    return held.find((ready) => ready.accept === accept && ready.acceptEncoding === acceptEncoding);
  };

  const filled = ({ list, idAt, rateAt }: HeaderList, exchange: Exchange): string[] => {
    const headers = list.slice();
    headers[idAt] = exchange.id;
    let at = rateAt;
    writer.rates(exchange, (name, value) => {
      headers[at] = name;
      headers[at + 1] = value;
      at += 2;
    });
    return headers;
  };

  const clear = (): void => {
    targets.clear();
    bytes = 0;
  };

  return {
    answer(exchange, state) {
      if (state !== heldFor || !isPlain(exchange)) return false;
      const ready = find(exchange);
      if (ready === undefined) return false;
      if (ready.needsFeed && state.production.feedStatus().state === 'stale') return false;
      exchange.route = ready.route;
      const { coded, full, unchanged } = ready;
      if (noneMatch(header(exchange, 'if-none-match'), coded.etag)) {
        writer.send(exchange, 304, filled(unchanged, exchange), '', 'latin1');
      } else writer.send(exchange, 200, filled(full, exchange), coded.bytes, 'latin1');
      return true;
    },

    keep(exchange, state, rendition, coding) {
      const { request, path, route } = exchange;
      const url = request.url ?? '';
      if (rendition.body === null || !isPlain(exchange) || isSandboxPath(path) || url.length > longestTarget) return;
      if (rendition.needsFeed && state.production.feedStatus().state === 'stale') return;
      if (state !== heldFor) clear();
      heldFor = state;
      const accept = header(exchange, 'accept');
      const acceptEncoding = header(exchange, 'accept-encoding');
      const held = targets.get(url) ?? [];
      if (held.length === mostForms || accept.length + acceptEncoding.length > longestTarget) return;
      const coded = rendition.coded(coding);
      bytes += coded.bytes.length + 4000;
      if (bytes > mostBytes || targets.size >= mostTargets) clear();
      const list = writer.headersOf(exchange, 200, rendition, coded);
      const withoutLength = writer.headersOf(exchange, 304, rendition, coded);
      const ready = { accept, acceptEncoding, route, needsFeed: rendition.needsFeed, coded };
      targets.set(url, [...held, { ...ready, full: placesIn(list), unchanged: placesIn(withoutLength) }]);
    },
  };
}

/** Of a target and of the two headers together. */
const longestTarget = 512;
/** Different Accept and Accept-Encoding of one target. */
const mostForms = 16;

const placesIn = (list: readonly string[]): HeaderList => ({
  list,
  idAt: list.indexOf('x-request-id') + 1,
  rateAt: list.indexOf('ratelimit-limit'),
});
