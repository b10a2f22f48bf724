/** Provides a scripted server and a runtime in which no time passes, for the tests of the client. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Runtime } from '../../packages/client/src/runtime.ts';

/** A request that the scripted server received. */
export interface Received {
  readonly method: string;
  /** The path with its query. */
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** A server that gives prepared responses in turn. */
export interface Scripted {
  /** `http://127.0.0.1:PORT`, without a slash at the end. */
  readonly origin: string;
  /** The requests so far, oldest first. */
  readonly received: Received[];
  close(): Promise<void>;
}

type Answer = (response: ServerResponse, request: Received) => void;

/** Starts a server that sends the n-th answer to the n-th request, and the last to all later ones. Without answers it never responds. */
export async function startScripted(...answers: readonly Answer[]): Promise<Scripted> {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const seen = {
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers,
      body: await text(request),
    };
    received.push(seen);
    (answers[received.length - 1] ?? answers.at(-1))?.(response, seen);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Returns an answer for `startScripted` that sends `body` as JSON. */
export const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Answer =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  };

/** Returns an answer for `startScripted` that sends a problem document with this code, as `application/json`. */
export const problem = (status: number, code: string, headers: Record<string, string> = {}): Answer =>
  json(status, { object: 'error', status, code, title: code, detail: `It is ${code}.`, request_id: 'req_1' }, headers);

/** A runtime whose clock stands still. Its pauses end at once, and its time limits only with `expire`. */
export interface TestRuntime extends Runtime {
  /** Milliseconds of each pause that was asked for; none of them is waited for. */
  readonly pauses: number[];
  /** Ends all time limits that are set now. */
  expire(): void;
}

/** Creates a runtime in which a wait of `limitMs` milliseconds or more is a time limit, and a shorter one a pause. */
export function createTestRuntime(limitMs = 30_000): TestRuntime {
  const pauses: number[] = [];
  const limits = new Set<() => void>();
  return {
    pauses,
    now: () => Date.parse('2026-11-22T10:00:00Z'),
    random: () => 0.5,
    createUniqueKey: () => crypto.randomUUID(),
    browser: false,
    name: 'test/1',
    after(ms, run) {
      if (ms >= limitMs) {
        limits.add(run);
        return () => limits.delete(run);
      }
      pauses.push(ms);
      const timer = setImmediate(run);
      return () => clearImmediate(timer);
    },
    expire() {
      for (const run of limits) run();
    },
  };
}
