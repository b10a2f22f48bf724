/** The second of two servers, in a separate process; started by two-servers.ts. */
import { startOneServer, type TestServer, type TestServerOptions } from './server.ts';

export type SecondOptions = {
  readonly [K in 'env' | 'versions' | 'drainMs' | 'timeouts' | 'loadBounds']: TestServerOptions[K] | undefined;
};

/** The last lines of a server that is closed come when nobody listens any more. */
const send = (message: object): void => {
  if (process.connected) process.send?.(message);
};

/** Each line of the log goes over as it is written. */
class Lines extends Array<Record<string, unknown>> {
  override push(...lines: Record<string, unknown>[]): number {
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
    send({ closed: true });
    process.disconnect?.();
  } else {
    const given = Object.entries(message).filter(([, value]) => value !== undefined);
    server = await startOneServer(Object.fromEntries(given), new Lines());
    send({ listenUrl: server.listenUrl });
  }
});

// It writes where the test writes, and who reads that waits for both: a test that ends without closing it must end it.
process.on('disconnect', () => process.exit());
