/** How a body is compressed in each content coding: what is made once and kept, and what is made for one file. */
import type { Transform } from 'node:stream';
import { promisify } from 'node:util';
import {
  type BrotliOptions,
  brotliCompress,
  brotliCompressSync,
  constants,
  createBrotliCompress,
  createGzip,
  createZstdCompress,
  gzip,
  gzipSync,
  type ZlibOptions,
  type ZstdOptions,
  zstdCompress,
  zstdCompressSync,
} from 'node:zlib';
import type { Coding } from './negotiation.ts';

/** Below this many bytes, the better compression takes several times as long and saves a tenth of one packet. */
const smallText = 6000;
/** From this many on, zstd's better compression takes more than a few milliseconds. */
const largeText = 1_000_000;

/** Pictures, videos and documents that are compressed already: another coding costs time and saves nothing. */
export const isCompressedType = (mediaType: string): boolean =>
  /^(?:image\/(?:png|jpeg|webp|gif|avif)|video\/.*|application\/pdf)$/.test(mediaType);

type Compression = Exclude<Coding, 'identity'>;

export function compressed(bytes: Buffer, coding: Compression): Buffer {
  if (coding === 'gzip') return gzipSync(bytes, gzipOptions);
  return coding === 'zstd'
    ? zstdCompressSync(bytes, zstdOptions(bytes))
    : brotliCompressSync(bytes, brotliOptions(bytes));
}

/** Outside of the event loop. */
export function compressedLater(bytes: Buffer, coding: Compression): Promise<Buffer> {
  if (coding === 'gzip') return gzipLater(bytes, gzipOptions);
  return coding === 'zstd' ? zstdLater(bytes, zstdOptions(bytes)) : brotliLater(bytes, brotliOptions(bytes));
}

/** For a file of `size` bytes that is too large to hold. */
export function compressor(coding: Compression, size: number): Transform {
  if (coding === 'gzip') return createGzip(gzipOptions);
  const sized = { length: size };
  return coding === 'zstd' ? createZstdCompress(zstdOptions(sized)) : createBrotliCompress(brotliOptions(sized));
}

const gzipLater = promisify<Buffer, ZlibOptions, Buffer>(gzip);
const brotliLater = promisify<Buffer, BrotliOptions, Buffer>(brotliCompress);
const zstdLater = promisify<Buffer, ZstdOptions, Buffer>(zstdCompress);

const gzipOptions: ZlibOptions = { level: 6 };

const brotliOptions = ({ length }: { readonly length: number }): BrotliOptions => ({
  params: { [constants.BROTLI_PARAM_QUALITY]: length < smallText ? 3 : 5, [constants.BROTLI_PARAM_SIZE_HINT]: length },
});

/** A decoder need not have more than 8 MB of window (RFC 9659). */
const zstdOptions = ({ length }: { readonly length: number }): ZstdOptions => ({
  params: {
    [constants.ZSTD_c_compressionLevel]: length < largeText ? 9 : 3,
    [constants.ZSTD_c_windowLog]: 23,
  },
});
