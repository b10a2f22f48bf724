/** Provides a scripted server and a runtime in which no time passes, for the tests of the client. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Runtime } from '../../packages/client/src/runtime.ts';

/** A request that the scripted server received. */
export interface ReceivedRequest {
  readonly method: string;
  /** The path with its query. */
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** A server that gives prepared responses in turn. */
export interface ScriptedServer {
  /** `http://127.0.0.1:PORT`, without a slash at the end. */
  readonly origin: string;
  /** The requests so far, oldest first. */
  readonly requests: ReceivedRequest[];
  close(): Promise<void>;
}

type RespondFunction = (response: ServerResponse, request: ReceivedRequest) => void;

/** Starts a server that sends the nth response to the nth request, and the last one to all later ones. Without responses, it sends none. */
export async function startServer(...responses: readonly RespondFunction[]): Promise<ScriptedServer> {
  const requests: ReceivedRequest[] = [];
  const server = createServer(async (request, response) => {
    const entry = {
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers,
      body: await text(request),
    };
    requests.push(entry);
    (responses[requests.length - 1] ?? responses.at(-1))?.(response, entry);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Returns a function for `startServer` that responds with this status, `body` as JSON, and `headers` beside Content-Type. */
export const sendJson =
  (status: number, body: unknown, headers: Record<string, string> = {}): RespondFunction =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  };

/**
 * Returns a function for `startServer` that responds with this status and a problem document with this code, as `application/json`.
 */
export const sendProblem = (status: number, code: string, headers: Record<string, string> = {}): RespondFunction =>
  sendJson(
    status,
    { object: 'error', status, code, title: code, detail: `It is ${code}.`, request_id: 'req_1' },
    headers,
  );

/** A runtime whose clock always has the same time. Its pauses end at once, and its time limits only with `expire`. */
export interface TestRuntime extends Runtime {
  /** The pauses that the client requested, in milliseconds. */
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
