/** Ids of the sandbox's jobs: each contains what is exported and when the job was started, signed. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { sha256Bytes } from '../base/hash.ts';
import { type ExportRequest, exportFormatNames } from './exporter.ts';

/** Length in bytes of the nonce, the part of an id that distinguishes jobs of the same moment. */
export const nonceBytes = 4;
const signatureBytes = 8;

/** The content of a sandbox job's id: the export, and the time when the job was started, in milliseconds since 1970. */
export interface SandboxJob extends ExportRequest {
  readonly createdAt: number;
}

/**
 * Creates `write` and `read` for the ids of exports of these resources; `key` signs them, and `read` returns null for any other id.
 * An id has two bytes of a hash of the resource and the format, so that it stays valid when the service gets another resource.
 * Throws an Error if two exports have the same two bytes.
 */
export function createJobIds(key: Uint8Array, resources: readonly string[]) {
  const requests = new Map<number, ExportRequest>();
  for (const resource of resources) {
    for (const format of exportFormatNames) {
      const hash = hashRequest({ resource, format });
      if (requests.has(hash)) throw new Error(`exports of ${resource} need another name: two have the same hash`);
      requests.set(hash, { resource, format });
    }
  }
  return {
    /**
     * Returns `job_` and 20 bytes in hexadecimal: resource and format, time of the start in whole milliseconds, the first 4 bytes
     * of `nonce`, and the signature.
     */
    write({ createdAt, ...request }: SandboxJob, nonce: Uint8Array): string {
      const bytes = Buffer.alloc(8);
      bytes.writeUInt16BE(hashRequest(request), 0);
      bytes.writeUIntBE(createdAt, 2, 6);
      const signedBytes = Buffer.concat([bytes, nonce.subarray(0, nonceBytes)]);
      const signature = computeHmac(key, signedBytes).subarray(0, signatureBytes);
      return `job_${Buffer.concat([signedBytes, signature]).toString('hex')}`;
    },
    /** Returns what an id contains, however old it is; null if it was made with another key or for an unknown resource. */
    read(id: string): SandboxJob | null {
      if (!/^job_[0-9a-f]{40}$/.test(id)) return null;
      const bytes = Buffer.from(id.slice(4), 'hex');
      const [signed, signature] = [bytes.subarray(0, -signatureBytes), bytes.subarray(-signatureBytes)];
      if (!timingSafeEqual(computeHmac(key, signed).subarray(0, signatureBytes), signature)) return null;
      const request = requests.get(signed.readUInt16BE(0));
      return request === undefined ? null : { ...request, createdAt: signed.readUIntBE(2, 6) };
    },
  };
}

const hashRequest = ({ resource, format }: ExportRequest): number =>
  Buffer.from(sha256Bytes(`${resource}.${format}`)).readUInt16BE(0);

/** Returns the HMAC-SHA-256 of `sandbox job` and `bytes`. Its first bytes are the signature of an id or a derived nonce. */
export const computeHmac = (key: Uint8Array, bytes: Uint8Array): Buffer =>
  createHmac('sha256', key).update('sandbox job').update(bytes).digest();
