/** Stands between a proxy and the server: shortens how long answers are fresh, counts requests, and plays an origin that is down. */
import { type IncomingHttpHeaders, request as send } from 'node:http';
import { startHttpListener } from '../../support/http-listener.ts';

/** A request that the relay passed on. */
export interface Relayed {
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
  status: number;
}

/** A relay that records the requests which it passes on. */
export interface Relay {
  readonly url: string;
  /** The requests, oldest first. */
  readonly seen: Relayed[];
  /** Returns 502 without asking anybody, or cuts the connection, until told `up`. */
  is(state: 'up' | 'failing' | 'gone'): void;
  close(): Promise<void>;
}

/** Answers that may be kept are fresh for `freshSeconds`, whatever the server said. */
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
