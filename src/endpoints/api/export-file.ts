/** The files of finished jobs, by the hash of their bytes: for everybody, and never changed. */

import { ApiError } from '../../base/api-error.ts';
import { codedTag, etagOfSha256 } from '../../base/entity-tag.ts';
import { createOldest } from '../../base/oldest.ts';
import { keyHeaders } from '../../base/surrogate-keys.ts';
import { cacheControl, vary } from '../../http/answer.ts';
import { compressedLater } from '../../http/codings.ts';
import type { Endpoint } from '../../http/endpoints.ts';
import { header } from '../../http/exchange.ts';
import { acceptedCoding, type Coding } from '../../http/negotiation.ts';
import { extensionOf } from '../../operations/exports.ts';
import type { ExportStores } from './caller-exports.ts';

export function exportFileEndpoint({ jobs, sandboxJobs }: ExportStores): Endpoint {
  const compressed = createCompressedFiles();

  /** The sandbox's first: they are in memory. */
  async function find(sha256: string) {
    const fixture = await sandboxJobs.artefact(sha256).catch(() => null);
    if (fixture !== null) return { mediaType: fixture.mediaType, isSandbox: true, read: async () => fixture.bytes };
    const mediaType = await jobs.artefactType(sha256);
    return { mediaType, isSandbox: false, read: async () => (await jobs.artefact(sha256)).bytes };
  }

  return {
    path: '/exports/:file',
    methods: {
      async GET(exchange, { file = '' }) {
        const [, sha256 = '', extension] = /^([0-9a-f]{64})\.(md|json)$/.exec(file) ?? [];
        if (sha256 === '') throw noFile();
        const { mediaType, isSandbox, read } = await find(sha256);
        if (extensionOf(mediaType) !== extension) throw noFile();
        const coding = acceptedCoding(header(exchange, 'accept-encoding'));
        const etag = codedTag(etagOfSha256(sha256), coding);
        return {
          status: 200,
          headers: {
            'content-type': `${mediaType}; charset=utf-8`,
            'cache-control': cacheControl.immutable,
            ...keyHeaders([]),
            vary: vary.file,
            ...(coding !== 'identity' && { 'content-encoding': coding }),
            ...(isSandbox && { 'x-service-environment': 'sandbox' }),
          },
          body: async () => (coding === 'identity' ? asBuffer(await read()) : compressed(sha256, coding, read)),
          etag,
        };
      },
    },
  };
}

const asBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

const noFile = (): ApiError =>
  new ApiError('not_found', 'There is no such export. Take the URL from `result.url` of a completed job.');

type Compressed = (
  sha256: string,
  coding: Exclude<Coding, 'identity'>,
  read: () => Promise<Uint8Array>,
) => Promise<Buffer>;

/**
 * A file of twenty megabytes takes most of a second to compress: that is done outside of the event loop, once however many ask
 * at the same time, and at most `mostBytes` of what comes of it are kept.
 */
function createCompressedFiles({ mostBytes = 32_000_000 } = {}): Compressed {
  const kept = new Map<string, Buffer>();
  const oldest = createOldest(kept);
  const underWay = new Map<string, Promise<Buffer>>();
  let bytes = 0;

  const make = async (
    name: string,
    coding: Exclude<Coding, 'identity'>,
    read: () => Promise<Uint8Array>,
  ): Promise<Buffer> => {
    const file = await read();
    const made = await compressedLater(asBuffer(file), coding);
    if (made.length > mostBytes) return made;
    kept.set(name, made);
    bytes += made.length;
    while (bytes > mostBytes) bytes -= oldest.drop()?.[1].length ?? bytes;
    return made;
  };

  return async (sha256, coding, read) => {
    const name = `${sha256} ${coding}`;
    const held = kept.get(name) ?? underWay.get(name);
    if (held !== undefined) return held;
    const making = make(name, coding, read).finally(() => underWay.delete(name));
    underWay.set(name, making);
    return making;
  };
}
