/** Stands between a proxy and the server: shortens how long answers are fresh, counts requests, and plays an origin that is down. */
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
  readonly url: string;
  /** The requests that were passed on, oldest first. */
  readonly seen: Relayed[];
  /**
   * Sets what happens to requests from now on: `failing` responds with 502 and `gone` cuts the connection, both without asking the
   * server; `up`, which holds at the start, passes them on.
   */
  is(state: 'up' | 'failing' | 'gone'): void;
  close(): Promise<void>;
}

/**
 * Starts a relay in front of the server at `origin`. If the Cache-Control of a response has `max-age`, `s-maxage` and
 * `stale-while-revalidate`, in this order, the first two become `freshSeconds` and the last 60; any other passes as it is. The
 * relay itself caches nothing.
 */
export async function startRelay(origin: string, freshSeconds: number): Promise<Relay> {
  const seen: Relayed[] = [];
  let now: 'up' | 'failing' | 'gone' = 'up';
  const { origin: url, close } = await startHttpListener((incoming, outgoing) => {
    if (now === 'gone') {
      incoming.socket.destroy();
      return;
    }
    if (now === 'failing') {
      outgoing.writeHead(502, { 'cache-control': 'no-store' }).end();
      return;
    }
    const { method, url: target = '/', headers } = incoming;
    const entry: Relayed = { target, headers, status: 0 };
    seen.push(entry);
    const onwards = send(`${origin}${target}`, { method, headers }, (answer) => {
      entry.status = answer.statusCode ?? 0;
      const control = answer.headers['cache-control']?.replace(
        /max-age=\d+, s-maxage=\d+, stale-while-revalidate=\d+/,
        `max-age=${freshSeconds}, s-maxage=${freshSeconds}, stale-while-revalidate=60`,
      );
      outgoing.writeHead(entry.status, {
        ...answer.headers,
        ...(control !== undefined && { 'cache-control': control }),
      });
      answer.pipe(outgoing);
    });
    onwards.on('error', () => outgoing.destroy());
    incoming.pipe(onwards);
  });
  return {
    url,
    seen,
    is(state) {
      now = state;
    },
    close,
  };
}
