/** The second of two servers, in a separate process, and after it those of later tests; started by two-servers.ts. */
import { startOneServer, type TestServer, type TestServerOptions } from './server.ts';

/** Options of the second server, which are sent to its process. One that is undefined has its default. */
export type SecondOptions = {
  readonly [K in 'env' | 'versions' | 'drainMs' | 'timeouts' | 'loadBounds']: TestServerOptions[K] | undefined;
};

const send = (message: object): void => {
  if (process.connected) process.send?.(message);
};

/** The log of the running server, or null. The last lines of a closed server arrive when no test reads them any more. */
let heard: Lines | null = null;

/**
 * A log that sends each of its lines to the process of the test as it is written, while its server runs, and keeps none: `push`
 * returns 0.
 */
class Lines extends Array<Record<string, unknown>> {
  override push(...lines: Record<string, unknown>[]): number {
    if (heard !== this) return 0;
    for (const line of lines) {
      const { err, ...fields } = line;
      send({ line: { ...fields, ...(err !== undefined && { err: String(err) }) } });
    }
    return 0;
  }
}

let server: TestServer | null = null;

process.on('message', async (message: SecondOptions | 'check' | 'close') => {
  if (message === 'check') send({ checked: await server?.checkFeed() });
  else if (message === 'close') {
    await server?.close();
    heard = null;
    send({ closed: true });
  } else {
    const given = Object.entries(message).filter(([, value]) => value !== undefined);
    heard = new Lines();
    server = await startOneServer(Object.fromEntries(given), heard);
    send({ listenUrl: server.listenUrl });
  }
});

// It writes where the test writes, and who reads that waits for both: a test that ends without closing it must end it.
process.on('disconnect', () => process.exit());
