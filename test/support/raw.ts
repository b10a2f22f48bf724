/** Sends bytes on a new connection, and returns the first response once it is complete or the server closes the connection. */
import { connect } from 'node:net';

/** A response as it was received. */
export interface RawResponse {
  readonly status: number;
  /** Values by name in lower case; of a repeated field, the last one. */
  readonly headers: Record<string, string>;
  /** The text that came behind the headers: whole if Content-Length gives its length or the server closed. */
  readonly body: string;
  /** Whether the server closed the connection. */
  readonly isClosed: boolean;
}

/**
 * Sends bytes, or a string as UTF-8, on a new connection, and returns the first response. Rejects if the server closes without one,
 * or neither answers nor closes for 100 seconds.
 */
export function sendRaw(baseUrl: string, bytes: string | Buffer): Promise<RawResponse> {
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    let received: Buffer = Buffer.alloc(0);
    const finish = (isClosed: boolean): void => {
      socket.destroy();
      const response = parseResponse(received, isClosed);
      if (response === null) reject(new Error(`no response: ${received.toString('latin1').slice(0, 200)}`));
      else resolve(response);
    };
    socket.on('connect', () => socket.write(bytes));
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, Buffer.from(chunk)]);
      const response = parseResponse(received, false);
      if (response !== null && response.headers.connection !== 'close') finish(false);
    });
    socket.on('end', () => finish(true));
    socket.on('error', (error) => (received.length > 0 ? finish(true) : reject(error)));
    // The timeout gives a clearer error than the runner's own limit, and is nearly as long because a busy machine may respond late.
    socket.setTimeout(100_000, () => reject(new Error('the server neither answered nor closed')));
  });
}

function parseResponse(received: Buffer, isClosed: boolean): RawResponse | null {
  const end = received.indexOf('\r\n\r\n');
  if (end === -1) return null;
  const [statusLine = '', ...lines] = received.subarray(0, end).toString('latin1').split('\r\n');
  const headers: Record<string, string> = {};
  for (const line of lines)
    headers[line.slice(0, line.indexOf(':')).toLowerCase()] = line.slice(line.indexOf(':') + 1).trim();
  const body = received.subarray(end + 4);
  if (!isClosed && body.length < Number(headers['content-length'] ?? 0)) return null;
  return { status: Number(statusLine.split(' ')[1]), headers, body: body.toString(), isClosed };
}
