/** Serves the files of finished jobs by the hash of their bytes, to everybody; they never change. */
import { pipeline, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { LRUCache } from 'lru-cache';
import { ApiError } from '../../base/api-error.ts';
import { createCodedTag, createEtagFromSha256 } from '../../base/entity-tag.ts';
import { vary } from '../../http/answer.ts';
import { compressLater, createCompressor } from '../../http/codings.ts';
import { rangeHeaders, wantsPart } from '../../http/conditional-range.ts';
import type { Endpoint } from '../../http/endpoints.ts';
import { readHeader } from '../../http/exchange.ts';
import { type Coding, chooseCoding } from '../../http/negotiation.ts';
import { exportFilePattern, exportFormatNames, exportFormats } from '../../jobs/exporter.ts';
import type { StoredArtifact } from '../../store/jobs.ts';
import type { ExportStores } from './caller-exports.ts';

/**
 * Creates the endpoint `/exports/SHA256.EXTENSION` that serves the files of exports, which are found by their SHA-256 (hex). It
 * rejects with `not_found` if no file has this SHA-256 and extension.
 */
export function exportFileEndpoint({ jobs, sandboxJobs }: ExportStores): Endpoint {
  const compressedFiles = createCompressedFiles();

  /** Finds a file by its SHA-256 (hex); those of the sandbox come first, because they are in memory. Throws `not_found`. */
  async function find(sha256: string): Promise<{ file: StoredArtifact; isSandbox: boolean }> {
    const fixture = await sandboxJobs.artifact(sha256).catch(() => null);
    if (fixture === null) return { file: await jobs.artifact(sha256), isSandbox: false };
    const { bytes, ...rest } = fixture;
    return { file: { ...rest, size: bytes.length, parts: () => Readable.from([bytes]) }, isSandbox: true };
  }

  return {
    path: '/exports/:file',
    methods: {
      async GET(exchange, { file: name = '' }) {
        if (!exportFilePattern.test(name)) throw createNoFileError();
        const [sha256 = '', extension] = name.split('.');
        const { file, isSandbox } = await find(sha256);
        if (findExtension(file.mediaType) !== extension) throw createNoFileError();
        // A part is sent uncompressed, because a client that resumes a download cannot use a part of a compressed file.
        const coding = wantsPart(exchange, rangeHeaders)
          ? 'identity'
          : chooseCoding(readHeader(exchange, 'accept-encoding'));
        const answer = {
          status: 200,
          headers: {
            'content-type': `${file.mediaType}; charset=utf-8`,
            ...rangeHeaders,
            vary: vary.file,
            ...(coding !== 'identity' && { 'content-encoding': coding }),
            ...(isSandbox && { 'x-service-environment': 'sandbox' }),
          },
          cache: 'immutable',
          etag: createCodedTag(createEtagFromSha256(sha256), coding),
        } as const;
        if (coding === 'identity') return { ...answer, length: file.size, stream: () => Readable.from(file.parts()) };
        if (file.size > maxHeldBytes) {
          const stream = () => pipeline(Readable.from(file.parts()), createCompressor(coding, file.size), () => {});
          return { ...answer, length: null, stream };
        }
        const body = () => compressedFiles.forceFetch(`${sha256} ${coding}`, { context: { file, coding } });
        return { ...answer, body };
      },
    },
  };
}

/**
 * Maximum size, in bytes, of a file that is compressed in one piece; a larger one is compressed while it is sent, in memory for a
 * few parts.
 */
const maxHeldBytes = 16_000_000;

/** Returns the extension, without a full stop, of files with this media type, or undefined if no format has it. */
function findExtension(mediaType: string): string | undefined {
  const format = exportFormatNames.find((name) => exportFormats[name].mediaType === mediaType);
  return format && exportFormats[format].extension;
}

const createNoFileError = (): ApiError =>
  new ApiError('not_found', 'There is no such export. Take the URL from `result.url` of a completed job.');

/** Maximum number of compressed files in memory. A file is immutable, so a CDN asks for each about once. */
const maxCompressed = 4;

interface Compression {
  readonly file: StoredArtifact;
  readonly coding: Exclude<Coding, 'identity'>;
}

/**
 * Creates the cache of compressed files, of which it holds four, by keys of SHA-256, space and coding. Its `forceFetch` compresses
 * the `file` of its `context` in that `coding` outside of the event loop, once for requests at the same time, because a file of 20
 * MB takes most of a second; it rejects if the file cannot be read.
 */
const createCompressedFiles = () =>
  new LRUCache<string, Buffer, Compression>({
    max: maxCompressed,
    fetchMethod: async (_key, _stale, { context: { file, coding } }) =>
      compressLater(await buffer(file.parts()), coding),
    ignoreFetchAbort: true,
  });
