/** Sends one GET and returns the response with all its headers and bytes, so that the contestants can send the same response. */
import { request } from 'node:http';

/** A response with its headers and bytes as the server sent them. */
export interface CapturedResponse {
  readonly status: number;
  /** Names and values, in the order and spelling of the response. */
  readonly headers: readonly (readonly [string, string])[];
  /** The bytes as the server sent them, compressed or not, in base64. */
  readonly body: string;
}

/** Sends one GET and returns the complete response, whatever its status; no redirect is followed. Rejects if the connection fails. */
export function capture(url: string, headers: Readonly<Record<string, string>>): Promise<CapturedResponse> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const raw = response.rawHeaders;
        const pairs = raw.flatMap((name, index) => (index % 2 === 0 ? [[name, raw[index + 1] ?? ''] as const] : []));
        resolve({ status: response.statusCode ?? 0, headers: pairs, body: Buffer.concat(chunks).toString('base64') });
      });
    });
    outgoing.on('error', reject);
    outgoing.end();
  });
}

/** Returns the first value of a header, whose name must be in lower case, or an empty string if the response has none. */
export const getHeader = ({ headers }: CapturedResponse, name: string): string =>
  headers.find(([headerName]) => headerName.toLowerCase() === name)?.[1] ?? '';
