/** Renditions: the bytes, entity tags and headers of a response, created once for a revision and cached within a bound. */

import { setImmediate } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { createCodedTag } from '../base/entity-tag.ts';
import type { Body } from '../operations/context.ts';
import type { AnsweredSearch } from '../operations/operation.ts';
import type { EncodedBytes } from '../operations/representation.ts';
import type { Cacheability } from './answer.ts';
import { compressLater, compressNow, isCompressedType } from './codings.ts';
import type { Coding } from './negotiation.ts';

/** Minimum size of a compressed body, in bytes; for a smaller one, compression saves less than it costs. */
const minCompressed = 600;
/** Size in bytes from which compression takes more than a few milliseconds. */
const minLarge = 200_000;

/** The bytes of a rendition in one content coding. */
export interface Coded {
  /**
   * A string has one character per byte (latin1) and is sent in one write with the headers. A large body is a Buffer, which
   * is sent in a second write without being copied.
   */
  readonly bytes: string | Buffer;
  readonly etag: string;
  readonly coding: Coding;
}

/** A response without the headers that depend on the request. */
export interface Rendition {
  /** Lower-case names; headers that depend on the request are not included. */
  readonly headers: Readonly<Record<string, string>>;
  readonly cache: Cacheability;
  /**
   * Returns the bytes in a coding, which are compressed at the first call. A small body, or one of a compressed type, has only its
   * identity, which is returned for every coding.
   */
  coded(coding: Coding): Coded;
  /**
   * Compresses a large body outside of the event loop, and resolves once `coded` takes only a moment; null if it already does.
   * Rejects only if zlib fails.
   */
  compress(coding: Coding): Promise<void> | null;
  /** The object that was rendered, for batches, or null if the response is not an operation's. */
  readonly body: Body | null;
  /** The template of the route, for the log and the metrics. */
  readonly route: string;
  /** The search that the rendition answers, counted for each GET that gets it; null if it answers no search. */
  readonly search: AnsweredSearch | null;
  /** Whether the response depends on the update feed. */
  readonly needsFeed: boolean;
  /** Estimated size in memory, in bytes. */
  readonly size: number;
}

type RenditionProperties = Pick<Rendition, 'headers' | 'route'> &
  Partial<Pick<Rendition, 'cache' | 'body' | 'search' | 'needsFeed'>>;

/** Creates a rendition of bytes. By default its `cache` is `content`, `body` and `search` are null, and `needsFeed` is false. */
export function createRendition({
  encoded: { bytes, etag },
  ...properties
}: RenditionProperties & { readonly encoded: EncodedBytes }): Rendition {
  const { length } = bytes;
  const isCompressed = isCompressedType(properties.headers['content-type'] ?? '');
  const identity: Coded = { bytes, etag, coding: 'identity' };
  const codings = new Map<Coding, Coded>();
  const pending = new Map<Coding, Promise<void>>();
  const store = (coding: Coding, compressedBytes: Buffer): Coded => {
    const isLarge = compressedBytes.length >= minLarge;
    const codedBody = {
      bytes: isLarge ? compressedBytes : compressedBytes.toString('latin1'),
      etag: createCodedTag(etag, coding),
      coding,
    };
    codings.set(coding, codedBody);
    return codedBody;
  };
  return {
    cache: 'content',
    body: null,
    search: null,
    needsFeed: false,
    ...properties,
    size: length * 2 + 1000,
    coded(coding) {
      if (coding === 'identity' || length < minCompressed || isCompressed) return identity;
      return codings.get(coding) ?? store(coding, compressNow(toBuffer(bytes), coding));
    },
    compress(coding) {
      if (coding === 'identity' || length < minLarge || isCompressed || codings.has(coding)) return null;
      // Compressing begins in the next turn of the event loop, because creating the body may have filled this one.
      const compressing =
        pending.get(coding) ??
        setImmediate()
          .then(() => compressLater(toBuffer(bytes), coding))
          .then((compressedBytes) => void store(coding, compressedBytes))
          .finally(() => pending.delete(coding));
      pending.set(coding, compressing);
      return compressing;
    },
  };
}

const toBuffer = (bytes: string | Buffer): Buffer => (typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);

/** The renditions of one state, by keys that contain their input. `forceFetch` calls its context once for requests at the same time. */
export type Renditions = LRUCache<string, Rendition, () => Promise<Rendition>>;

/**
 * Creates an empty cache of at most `maxBytes` (an estimate) and `maxEntries`. The rendition that was used longest ago is dropped
 * first; one that takes over a quarter of `maxBytes` is not kept.
 */
export const createRenditions = ({ maxBytes = 48_000_000, maxEntries = 20_000 } = {}): Renditions =>
  new LRUCache<string, Rendition, () => Promise<Rendition>>({
    max: maxEntries,
    maxSize: maxBytes,
    maxEntrySize: Math.floor(maxBytes / 4),
    sizeCalculation: ({ size }, key) => size + key.length,
    fetchMethod: (_key, _stale, { context: create }) => create(),
    // A rendition that is evicted while it is being created is still returned and sent.
    ignoreFetchAbort: true,
  });
