/** The server that a feed is fetched from, on a real socket of this machine. */
import type { IncomingHttpHeaders, RequestListener } from 'node:http';
import { startHttpListener } from './http-listener.ts';

/** A server of feeds. */
export interface Upstream {
  /** `http://127.0.0.1:PORT`, without a slash at the end. */
  readonly origin: string;
  /** The requests, oldest first. */
  readonly requests: { readonly path: string; readonly headers: IncomingHttpHeaders }[];
  /** Sets the listener that handles requests from now on. */
  answer(listener: RequestListener): void;
  /** Sends these bytes from now on, with an entity tag, and 304 to whoever has it. */
  serve(bytes: string | Buffer, headers?: Record<string, string>): void;
  close(): Promise<void>;
}

/** Starts a server that responds with 500 until `answer` or `serve` is called. */
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
    answer(next) {
      listener = next;
    },
    serve(bytes, headers = {}) {
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
