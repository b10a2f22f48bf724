/** Ids of the sandbox's jobs: each says what the job is and when it was started, signed. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { sha256Bytes } from '../base/hash.ts';
import { type ExportRequest, exportFormats } from './exporter.ts';

/** What tells jobs of one moment apart. */
export const nonceBytes = 4;
const signatureBytes = 8;

export interface Made extends ExportRequest {
  readonly createdAt: number;
}

/** The ids of exports of these resources. What is exported is in them by a hash of its name, so that they outlive a new resource. */
export function createJobIds(key: Uint8Array, resources: readonly string[]) {
  const requests = new Map<number, ExportRequest>();
  for (const resource of resources) {
    for (const format of exportFormats) {
      const kind = kindOf({ resource, format });
      if (requests.has(kind)) throw new Error(`exports of ${resource} need another name: two have the same hash`);
      requests.set(kind, { resource, format });
    }
  }
  return {
    /** Returns `job_` and 20 bytes in hexadecimal: resource and format, time of the start, a nonce, and the signature. */
    write({ createdAt, ...request }: Made, nonce: Uint8Array): string {
      const bytes = Buffer.alloc(8);
      bytes.writeUInt16BE(kindOf(request), 0);
      bytes.writeUIntBE(createdAt, 2, 6);
      const signed = Buffer.concat([bytes, nonce.subarray(0, nonceBytes)]);
      const signature = hmac(key, signed).subarray(0, signatureBytes);
      return `job_${Buffer.concat([signed, signature]).toString('hex')}`;
    },
    /** Null for an id that was not made with this key. */
    read(id: string): Made | null {
      if (!/^job_[0-9a-f]{40}$/.test(id)) return null;
      const bytes = Buffer.from(id.slice(4), 'hex');
      const [signed, signature] = [bytes.subarray(0, -signatureBytes), bytes.subarray(-signatureBytes)];
      if (!timingSafeEqual(hmac(key, signed).subarray(0, signatureBytes), signature)) return null;
      const request = requests.get(signed.readUInt16BE(0));
      return request === undefined ? null : { ...request, createdAt: signed.readUIntBE(2, 6) };
    },
  };
}

const kindOf = ({ resource, format }: ExportRequest): number =>
  Buffer.from(sha256Bytes(`${resource}.${format}`)).readUInt16BE(0);

export const hmac = (key: Uint8Array, bytes: Uint8Array): Buffer =>
  createHmac('sha256', key).update('sandbox job').update(bytes).digest();
