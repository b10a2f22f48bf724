/** Sends bytes on one connection, part by part, and reads every response until the server closes it or sends nothing more. */
import { connect } from 'node:net';

/** A response on a connection. */
export interface ReceivedResponse {
  readonly status: number;
  /** Values by name in lower case; those of a repeated field are joined by `, `. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** The responses on one connection. */
export interface ConnectionResult {
  /** The whole responses, without interim ones (1xx). */
  readonly responses: readonly ReceivedResponse[];
  /** The bytes behind the last whole response as Latin-1 text, or an empty string. */
  readonly rest: string;
  /** Whether the server closed the connection, broke it or could not be reached; false if `silenceMs` passed without a byte. */
  readonly isClosed: boolean;
}

/**
 * Sends the first part at once, each further one once another response has come; a string is sent as Latin-1. Ends when the server
 * closes or cannot be reached, or once `silenceMs` pass without a byte, and never rejects. `methods` are those of the requests, in
 * order, and are needed only where one is HEAD, whose response has no body.
 */
export function sendParts(
  url: string,
  parts: readonly (string | Buffer)[],
  { methods = [], silenceMs = 2000 }: { methods?: readonly string[]; silenceMs?: number } = {},
): Promise<ConnectionResult> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    const remainingParts = parts.slice();
    let received: Buffer = Buffer.alloc(0);
    const sendNext = (): void => {
      const part = remainingParts.shift();
      if (part !== undefined && socket.writable)
        socket.write(typeof part === 'string' ? Buffer.from(part, 'latin1') : part);
    };
    const finish = (isClosed: boolean): void => {
      socket.destroy();
      const { responses, rest } = readResponses(received, methods);
      resolve({ responses, rest: rest.toString('latin1'), isClosed });
    };
    socket.on('connect', sendNext);
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      while (
        parts.length - remainingParts.length <= readResponses(received, methods).responses.length &&
        remainingParts.length > 0
      )
        sendNext();
    });
    socket.on('end', () => finish(true));
    socket.on('error', () => finish(true));
    socket.setTimeout(silenceMs, () => finish(false));
  });
}

/**
 * Returns the whole responses at the start of what was received, without interim ones (1xx), and the bytes after them. A body has
 * the length in Content-Length; without it, as with chunks, it counts as empty. `methods` are those of `sendParts`.
 */
export function readResponses(
  received: Buffer,
  methods: readonly string[] = [],
): { responses: ReceivedResponse[]; rest: Buffer } {
  const responses: ReceivedResponse[] = [];
  let rest = received;
  for (;;) {
    const end = rest.indexOf('\r\n\r\n');
    if (end === -1) return { responses, rest };
    const [statusLine = '', ...lines] = rest.subarray(0, end).toString('latin1').split('\r\n');
    const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(statusLine)?.[1] ?? Number.NaN);
    if (Number.isNaN(status)) return { responses, rest };
    const headers: Record<string, string> = {};
    for (const line of lines) {
      const colonIndex = line.indexOf(':');
      const name = line.slice(0, colonIndex).toLowerCase();
      const value = line.slice(colonIndex + 1).trim();
      headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`;
    }
    const isBodiless = status < 200 || status === 204 || status === 304 || methods[responses.length] === 'HEAD';
    const length = isBodiless ? 0 : Number(headers['content-length'] ?? 0);
    if (rest.length < end + 4 + length) return { responses, rest };
    const body = rest.subarray(end + 4, end + 4 + length);
    rest = rest.subarray(end + 4 + length);
    if (status >= 200) responses.push({ status, headers, body });
  }
}
