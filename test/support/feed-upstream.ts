/** Starts an HTTP server on 127.0.0.1 from which the server under test fetches its feed. */
import type { IncomingHttpHeaders, RequestListener } from 'node:http';
import { startHttpListener } from './http-listener.ts';

/** A server of feeds. */
export interface Upstream {
  /** `http://127.0.0.1:PORT`, without a slash at the end. */
  readonly origin: string;
  /** The requests, oldest first. */
  readonly requests: { readonly path: string; readonly headers: IncomingHttpHeaders }[];
  /** Sets the listener that handles requests from now on. */
  setListener(listener: RequestListener): void;
  /** Responds from now on with these bytes and their entity tag, or with 304 to a request that has this tag. */
  serveBytes(bytes: string | Buffer, headers?: Record<string, string>): void;
  close(): Promise<void>;
}

/** Starts a server that responds with 500 until `setListener` or `serveBytes` is called. */
export async function startUpstream(): Promise<Upstream> {
  let listener: RequestListener = (_, response) => response.writeHead(500).end();
  const requests: Upstream['requests'] = [];
  const { origin, close } = await startHttpListener((request, response) => {
    requests.push({ path: request.url ?? '', headers: request.headers });
    listener(request, response);
  });
  return {
    origin,
    requests,
    setListener(nextListener) {
      listener = nextListener;
    },
    serveBytes(bytes, headers = {}) {
      const body = Buffer.from(bytes);
      const etag = `"${body.length}-${body.toString('latin1').length}-${Buffer.from(body).reduce((sum, byte) => (sum * 31 + byte) % 1e9, 7)}"`;
      listener = (request, response) => {
        if (request.headers['if-none-match'] === etag) response.writeHead(304, { etag, ...headers }).end();
        else response.writeHead(200, { etag, ...headers }).end(body);
      };
    },
    close,
  };
}
