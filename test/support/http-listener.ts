/** Starts a small HTTP server on a free port of 127.0.0.1, to which the server under test or a browser sends requests. */
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { getOrigin } from '../../src/http/http-server.ts';

/** A server for a test. */
export interface HttpListener {
  /** `http://127.0.0.1:PORT`, without a slash at the end. */
  readonly origin: string;
  /** Stops the server, and cuts the connections that are open. */
  close(): Promise<void>;
}

/** Starts a server with this handler on a free port. */
export async function startHttpListener(listener: RequestListener): Promise<HttpListener> {
  const server = createServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: getOrigin(server, '127.0.0.1'),
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
