/** Compresses bodies in each content coding: at once, outside of the event loop, or while a file is sent. */
import { Readable, type Transform } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import {
  type BrotliOptions,
  brotliCompressSync,
  constants,
  createBrotliCompress,
  createGzip,
  createZstdCompress,
  gzipSync,
  type ZstdOptions,
  zstdCompressSync,
} from 'node:zlib';
import type { Coding } from './negotiation.ts';

/** Size in bytes below which the better compression takes several times as long and saves a tenth of one packet. */
const smallText = 6000;
/** Size in bytes from which zstd's better compression takes more than a few milliseconds. */
const largeText = 1_000_000;

/**
 * Returns whether a media type, without parameters, is PNG, JPEG, WebP, GIF, AVIF, PDF or a video. Such files are compressed
 * already: another coding costs time and saves nothing.
 */
export const isCompressedType = (mediaType: string): boolean =>
  /^(?:image\/(?:png|jpeg|webp|gif|avif)|video\/.*|application\/pdf)$/.test(mediaType);

type Compression = Exclude<Coding, 'identity'>;

/** Returns a body compressed; it must be small enough to take a few milliseconds at most, during which nothing else runs. */
export function compressNow(bytes: Buffer, coding: Compression): Buffer {
  if (coding === 'gzip') return gzipSync(bytes, gzipOptions);
  return coding === 'zstd'
    ? zstdCompressSync(bytes, createZstdOptions(bytes.length))
    : brotliCompressSync(bytes, createBrotliOptions(bytes.length));
}

/** Compresses a large body outside of the event loop; resolves with the compressed bytes, and rejects only if zlib itself fails. */
export const compressLater = (bytes: Buffer, coding: Compression): Promise<Buffer> =>
  buffer(Readable.from([bytes]).pipe(createCompressor(coding, bytes.length)));

/**
 * Creates the stream that compresses a file which is too large for memory. `length`, its size in bytes, only chooses the settings,
 * so that an estimate is enough.
 */
export function createCompressor(coding: Compression, length: number): Transform {
  if (coding === 'gzip') return createGzip(gzipOptions);
  return coding === 'zstd'
    ? createZstdCompress(createZstdOptions(length))
    : createBrotliCompress(createBrotliOptions(length));
}

const gzipOptions = { level: 6 };

const createBrotliOptions = (length: number): BrotliOptions => ({
  params: { [constants.BROTLI_PARAM_QUALITY]: length < smallText ? 3 : 5, [constants.BROTLI_PARAM_SIZE_HINT]: length },
});

/** Returns the options for a body of `length` bytes, which limit the window to 8 MB, more than which a decoder need not have (RFC 9659). */
const createZstdOptions = (length: number): ZstdOptions => ({
  params: {
    [constants.ZSTD_c_compressionLevel]: length < largeText ? 9 : 3,
    [constants.ZSTD_c_windowLog]: 23,
  },
});
