/** Captures a server response as it is on the wire, so that the contestants can send it and the benchmark can check them. */
import { request } from 'node:http';

/** A response as it came over the wire. */
export interface Captured {
  readonly status: number;
  /** Names and values, in the order and spelling of the response. */
  readonly headers: readonly (readonly [string, string])[];
  /** base64 of the bytes, compressed as they came. */
  readonly body: string;
}

/** Sends one GET and returns the complete response, whatever its status; no redirect is followed. Rejects if the connection fails. */
export function capture(url: string, headers: Readonly<Record<string, string>>): Promise<Captured> {
  return new Promise((done, fail) => {
    const asked = request(url, { headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('error', fail);
      response.on('end', () => {
        const raw = response.rawHeaders;
        const pairs = raw.flatMap((name, at) => (at % 2 === 0 ? [[name, raw[at + 1] ?? ''] as const] : []));
        done({ status: response.statusCode ?? 0, headers: pairs, body: Buffer.concat(chunks).toString('base64') });
      });
    });
    asked.on('error', fail);
    asked.end();
  });
}

/** Returns the first value of a header, whose name must be in lower case, or an empty string if the response has none. */
export const getHeader = ({ headers }: Captured, name: string): string =>
  headers.find(([known]) => known.toLowerCase() === name)?.[1] ?? '';
