/** Program of the child process that runs the second of two servers, and later those of other tests; two-servers.ts starts it. */
import { startOneServer, type TestServer, type TestServerOptions } from './server.ts';

/** Options of the second server, which are sent to its process. One that is undefined has its default. */
export type SecondServerOptions = {
  readonly [K in 'env' | 'versions' | 'drainMs' | 'timeouts' | 'loadBounds']: TestServerOptions[K] | undefined;
};

const sendMessage = (message: object): void => {
  if (process.connected) process.send?.(message);
};

/** The log of the running server, or null. The last lines of a closed server arrive when no test reads them any more. */
let activeLog: ForwardingLog | null = null;

/**
 * A log that sends each of its lines to the process of the test as it is written, while its server runs, and keeps none: `push`
 * returns 0.
 */
class ForwardingLog extends Array<Record<string, unknown>> {
  override push(...lines: Record<string, unknown>[]): number {
    if (activeLog !== this) return 0;
    for (const line of lines) {
      const { err, ...fields } = line;
      sendMessage({ line: { ...fields, ...(err !== undefined && { err: String(err) }) } });
    }
    return 0;
  }
}

let server: TestServer | null = null;

process.on('message', async (message: SecondServerOptions | 'check' | 'close') => {
  if (message === 'check') sendMessage({ outcome: await server?.checkFeed() });
  else if (message === 'close') {
    await server?.close();
    activeLog = null;
    sendMessage({ closed: true });
  } else {
    const options = Object.entries(message).filter(([, value]) => value !== undefined);
    activeLog = new ForwardingLog();
    server = await startOneServer(Object.fromEntries(options), activeLog);
    sendMessage({ listenUrl: server.listenUrl });
  }
});

// The reader of the test's output, which this process inherits, waits until both processes end, so this one ends with the test.
process.on('disconnect', () => process.exit());
