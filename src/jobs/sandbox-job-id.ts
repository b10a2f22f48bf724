/** Ids of the sandbox's jobs: each says what the job is and when it was started, signed. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { fromBase32, toBase32 } from '../base/ids.ts';
import { type ExportRequest, exportFormats, exportResources } from './exporter.ts';

/** What tells jobs of one moment apart. */
export const nonceBytes = 5;
const signatureBytes = 8;

export interface Made extends ExportRequest {
  readonly createdAt: number;
}

/** `job_` and 20 bytes in base 32: resource and format, the moment, what tells jobs of one moment apart, the signature. */
export function writeId(key: Uint8Array, { resource, format, createdAt }: Made, nonce: Uint8Array): string {
  const bytes = Buffer.alloc(7);
  bytes.writeUInt8(numberOf(exportResources, resource) * exportFormats.length + numberOf(exportFormats, format), 0);
  bytes.writeUIntBE(createdAt, 1, 6);
  const signed = Buffer.concat([bytes, nonce.subarray(0, nonceBytes)]);
  return `job_${toBase32(Buffer.concat([signed, hmac(key, signed).subarray(0, signatureBytes)]))}`;
}

const numberOf = (names: readonly string[], name: string): number => names.indexOf(name);

/** Null for an id that was not made with this key. */
export function readId(key: Uint8Array, id: string): Made | null {
  const bytes = /^job_[0-9a-z]{32}$/.test(id) ? fromBase32(id.slice(4)) : null;
  if (bytes === null) return null;
  const [signed, signature] = [bytes.subarray(0, -signatureBytes), bytes.subarray(-signatureBytes)];
  if (!timingSafeEqual(hmac(key, signed).subarray(0, signatureBytes), signature)) return null;
  const kind = signed.readUInt8(0);
  const resource = exportResources[Math.floor(kind / exportFormats.length)];
  const format = exportFormats[kind % exportFormats.length];
  if (resource === undefined || format === undefined) return null;
  return { resource, format, createdAt: signed.readUIntBE(1, 6) };
}

export const hmac = (key: Uint8Array, bytes: Uint8Array): Buffer =>
  createHmac('sha256', key).update('sandbox job').update(bytes).digest();
