/** Sends bytes over a socket as they are, and reads until the server closes or a whole response has come. */
import { connect } from 'node:net';

/** A response as it was received. */
export interface RawResponse {
  readonly status: number;
  /** Values by name in lower case; of a field that comes twice, the last one. */
  readonly headers: Record<string, string>;
  /** The text that came behind the headers: whole if Content-Length gives its length or the server closed. */
  readonly body: string;
  /** Whether the server closed the connection. */
  readonly closed: boolean;
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
    const finish = (closed: boolean): void => {
      socket.destroy();
      const parsed = parse(received, closed);
      if (parsed === null) reject(new Error(`no response: ${received.toString('latin1').slice(0, 200)}`));
      else resolve(parsed);
    };
    socket.on('connect', () => socket.write(bytes));
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, Buffer.from(chunk)]);
      const parsed = parse(received, false);
      if (parsed !== null && parsed.headers.connection !== 'close') finish(false);
    });
    socket.on('end', () => finish(true));
    socket.on('error', (error) => (received.length > 0 ? finish(true) : reject(error)));
    // Only to say so before the runner's own limit ends the test: on a busy machine a response may take long.
    socket.setTimeout(100_000, () => reject(new Error('the server neither answered nor closed')));
  });
}

function parse(received: Buffer, closed: boolean): RawResponse | null {
  const end = received.indexOf('\r\n\r\n');
  if (end === -1) return null;
  const [first = '', ...lines] = received.subarray(0, end).toString('latin1').split('\r\n');
  const headers: Record<string, string> = {};
  for (const line of lines)
    headers[line.slice(0, line.indexOf(':')).toLowerCase()] = line.slice(line.indexOf(':') + 1).trim();
  const body = received.subarray(end + 4);
  if (!closed && body.length < Number(headers['content-length'] ?? 0)) return null;
  return { status: Number(first.split(' ')[1]), headers, body: body.toString(), closed };
}
