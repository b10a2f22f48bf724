/** A relay between a proxy and the server: it shortens max-age of responses, records requests, and simulates a server that is down. */
import { type IncomingHttpHeaders, request as send } from 'node:http';
import { startHttpListener } from '../../support/http-listener.ts';

/** A request that the relay passed on. */
export interface Relayed {
  /** The path with its query. */
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
  /** The status of the response, or 0 until there is one. */
  status: number;
}

/** A relay that records the requests which it passes on. */
export interface Relay {
  /** `http://127.0.0.1:PORT`, without a slash at the end. */
  readonly url: string;
  /** The requests that were passed on, oldest first. */
  readonly requests: Relayed[];
  /**
   * Sets what happens to requests from now on: `failing` responds with 502 and `down` cuts the connection, both without a request to
   * the server; `up`, the state at the start, passes them on.
   */
  setState(state: 'up' | 'failing' | 'down'): void;
  close(): Promise<void>;
}

/**
 * Starts a relay in front of the server at `origin`. If the Cache-Control of a response has `max-age`, `s-maxage` and
 * `stale-while-revalidate`, in this order, the first two become `freshSeconds` and the last 60; any other passes as it is. The
 * relay itself caches nothing.
 */
export async function startRelay(origin: string, freshSeconds: number): Promise<Relay> {
  const requests: Relayed[] = [];
  let state: 'up' | 'failing' | 'down' = 'up';
  const { origin: url, close } = await startHttpListener((incoming, outgoing) => {
    if (state === 'down') {
      incoming.socket.destroy();
      return;
    }
    if (state === 'failing') {
      outgoing.writeHead(502, { 'cache-control': 'no-store' }).end();
      return;
    }
    const { method, url: target = '/', headers } = incoming;
    const entry: Relayed = { target, headers, status: 0 };
    requests.push(entry);
    const upstreamRequest = send(`${origin}${target}`, { method, headers }, (response) => {
      entry.status = response.statusCode ?? 0;
      const control = response.headers['cache-control']?.replace(
        /max-age=\d+, s-maxage=\d+, stale-while-revalidate=\d+/,
        `max-age=${freshSeconds}, s-maxage=${freshSeconds}, stale-while-revalidate=60`,
      );
      outgoing.writeHead(entry.status, {
        ...response.headers,
        ...(control !== undefined && { 'cache-control': control }),
      });
      response.pipe(outgoing);
    });
    upstreamRequest.on('error', () => outgoing.destroy());
    incoming.pipe(upstreamRequest);
  });
  return {
    url,
    requests,
    setState(next) {
      state = next;
    },
    close,
  };
}
