/** Renditions: a response's bytes, entity tags and headers, made once for a revision and kept within a bound. */

import { setImmediate } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { codedTag } from '../base/entity-tag.ts';
import type { Body } from '../operations/context.ts';
import type { AnsweredSearch } from '../operations/operation.ts';
import type { EncodedBytes } from '../operations/representation.ts';
import type { Cacheability } from './answer.ts';
import { compressed, compressedLater, isCompressedType } from './codings.ts';
import type { Coding } from './negotiation.ts';

/** Below this many bytes, compression saves less than it costs. */
const leastToCompress = 600;
/** From this many on, compression takes more than a few milliseconds. */
const leastToWaitFor = 200_000;

export interface Coded {
  /**
   * A string has a character for each byte (latin1) and goes out in one write with the headers. A large body is a Buffer:
   * it goes out in a second one, without being copied.
   */
  readonly bytes: string | Buffer;
  readonly etag: string;
  readonly coding: Coding;
}

export interface Rendition {
  /** Lower-case names; headers that depend on the request are not included. */
  readonly headers: Readonly<Record<string, string>>;
  readonly cache: Cacheability;
  /** The bytes in a coding; made when it is first asked for. Falls back to identity for small bodies. */
  coded(coding: Coding): Coded;
  /** Makes a large body's bytes outside of the event loop; null when `coded` has them, or makes them in a moment. */
  compress(coding: Coding): Promise<void> | null;
  /** The object that was rendered, for batches; null for what is no operation's answer. */
  readonly body: Body | null;
  readonly route: string;
  /** The search that the rendition answers, counted each time that it is sent; null if it answers no search. */
  readonly search: AnsweredSearch | null;
  /** Whether the response depends on the update feed. */
  readonly needsFeed: boolean;
  /** Whether it stays valid for as long as the state that it was made in; otherwise each request checks first. */
  readonly lasting: boolean;
  readonly size: number;
}

export function createRendition(made: {
  encoded: EncodedBytes;
  headers: Record<string, string>;
  /** @defaultValue content */
  cache?: Cacheability;
  body?: Body;
  search?: AnsweredSearch | null;
  route: string;
  needsFeed?: boolean;
  lasting?: boolean;
}): Rendition {
  const { bytes: own, etag: tag } = made.encoded;
  const { length } = own;
  const isCompressed = isCompressedType(made.headers['content-type'] ?? '');
  const identity: Coded = { bytes: own, etag: tag, coding: 'identity' };
  const codings = new Map<Coding, Coded>();
  const underWay = new Map<Coding, Promise<void>>();
  const keep = (coding: Coding, bytes: Buffer): Coded => {
    const kept = bytes.length < leastToWaitFor ? bytes.toString('latin1') : bytes;
    const coded = { bytes: kept, etag: codedTag(tag, coding), coding };
    codings.set(coding, coded);
    return coded;
  };
  return {
    headers: made.headers,
    cache: made.cache ?? 'content',
    body: made.body ?? null,
    search: made.search ?? null,
    route: made.route,
    needsFeed: made.needsFeed ?? false,
    lasting: made.lasting ?? true,
    size: length * 2 + 1000,
    coded(coding) {
      if (coding === 'identity' || length < leastToCompress || isCompressed) return identity;
      return codings.get(coding) ?? keep(coding, compressed(bufferOf(own), coding));
    },
    compress(coding) {
      if (coding === 'identity' || length < leastToWaitFor || isCompressed || codings.has(coding)) return null;
      let making = underWay.get(coding);
      if (making === undefined) {
        // The body may have been made in this very turn, which is long enough.
        making = setImmediate()
          .then(() => compressedLater(bufferOf(own), coding))
          .then((bytes) => void keep(coding, bytes))
          .finally(() => underWay.delete(coding));
        underWay.set(coding, making);
      }
      return making;
    },
  };
}

const bufferOf = (bytes: string | Buffer): Buffer => (typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);

/** The renditions of one state, by what they were made from. `forceFetch` calls its context once for requests at the same time. */
export type Renditions = LRUCache<string, Rendition, () => Promise<Rendition>>;

/** Creates a cache of at most `maxBytes` (an estimate) and `maxEntries`. The rendition that was used longest ago is dropped first. */
export const createRenditions = ({ maxBytes = 48_000_000, maxEntries = 20_000 } = {}): Renditions =>
  new LRUCache<string, Rendition, () => Promise<Rendition>>({
    max: maxEntries,
    maxSize: maxBytes,
    maxEntrySize: Math.floor(maxBytes / 4),
    sizeCalculation: ({ size }, key) => size + key.length,
    fetchMethod: (_key, _stale, { context: create }) => create(),
    // A rendition that no longer has room while it is created is still sent.
    ignoreFetchAbort: true,
  });
