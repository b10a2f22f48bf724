/** The node:http server: its timeouts and bounds, and what the parser refuses. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { addressKey } from '../limits/address-key.ts';
import type { Decision } from '../limits/sliding-window.ts';
import type { Service } from '../operations/context.ts';
import { isSound } from './guard.ts';
import { createServer } from './node-http.ts';
import { parserError, refuseOnSocket } from './parser-errors.ts';
import type { Rates } from './rate.ts';

/** How long a client may take, in milliseconds. */
export interface Timeouts {
  readonly headers: number;
  readonly request: number;
  /** Between two looks for connections that are late. */
  readonly check: number;
}

const usual: Timeouts = { headers: 10_000, request: 15_000, check: 1000 };

export interface ListenerOptions {
  /** Asked for each time: the origin is known only once the port is. */
  service(): Service;
  readonly rates: Rates;
  readonly newId: () => string;
  handle(request: IncomingMessage, response: ServerResponse): void;
  /** Whether connections are to end with the answer that they wait for. */
  draining(): boolean;
  /** Called for each request that the parser refused. */
  onRefused(id: string, code: string): void;
  readonly timeouts?: Timeouts;
}

/** What is known of a connection: the response to its newest request, and whether it takes no more. */
interface Connection {
  latest: ServerResponse | null;
  refused: boolean;
}

export function createListener(options: ListenerOptions): Server {
  const { handle, timeouts = usual } = options;
  const server = createServer({
    // Two Host headers and none are answered by us, as a problem document.
    requireHostHeader: false,
    headersTimeout: timeouts.headers,
    requestTimeout: timeouts.request,
    keepAliveTimeout: 65_000,
    connectionsCheckingInterval: timeouts.check,
    maxHeaderSize: 16_384,
    // Most requests have no body, and a stream that has nothing to give costs a GET a twentieth of its time.
    optimizeEmptyRequests: true,
  });
  server.maxHeadersCount = 0;
  server.maxConnections = 10_000;
  const connections = new WeakMap<Socket, Connection>();
  const connectionOf = (socket: Socket): Connection => {
    const known = connections.get(socket);
    if (known !== undefined) return known;
    const made: Connection = { latest: null, refused: false };
    connections.set(socket, made);
    return made;
  };
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    const { socket } = request;
    const connection = connectionOf(socket);
    if (isOver(socket, connection)) return;
    connection.latest = response;
    response.on('finish', forget);
    if (options.draining()) response.shouldKeepAlive = false;
    handle(request, response);
  };
  server.on('request', answer);
  server.on('checkContinue', answer);
  server.on('checkExpectation', answer);
  server.on('connect', (_request: IncomingMessage, socket: Socket) => refuse(socket, undefined));
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    const connection = connectionOf(socket);
    const { latest } = connection;
    // The fault may be in the body of a request that has its answer already: a second one would be read as the next.
    const answered = latest !== null && !latest.req.complete && latest.headersSent;
    if (!socket.writable || error.code === 'ECONNRESET') socket.destroy();
    // Whatever else comes while the refusal waits for its turn is a fault again.
    else if (connection.refused) return;
    else if (answered) socket.destroySoon();
    else if (latest?.req.complete && !latest.writableFinished) {
      // The answers to the requests before the broken one come first.
      connection.refused = true;
      latest.once('finish', () => refuse(socket, error.code));
    } else refuse(socket, error.code);
  });
  return server;

  /** Held until the connection's next request, what is over would have to be moved by every collection in between. */
  function forget(this: ServerResponse): void {
    const connection = connectionOf(this.req.socket);
    if (connection.latest === this && this.req.complete) connection.latest = null;
  }

  /** Behind a request that is refused for its framing or its host nothing is read: RFC 9112 section 9.6, and it may be smuggled. */
  function isOver(socket: Socket, connection: Connection): boolean {
    const { latest } = connection;
    if (latest !== null && !latest.writableFinished && !isSound(latest.req)) connection.refused = true;
    return connection.refused || socket.writableEnded;
  }

  function refuse(socket: Socket, code: string | undefined): void {
    connectionOf(socket).refused = true;
    const { baseUrl, apiVersion } = options.service();
    const error = parserError(code);
    const id = options.newId();
    const answerWith = (decision: Decision): void => {
      if (socket.writable) refuseOnSocket(socket, error, { id, baseUrl, apiVersion, decision });
      options.onRefused(id, error.code);
    };
    const decision = options.rates.take('anonymous', addressKey(socket.remoteAddress ?? ''));
    if (decision instanceof Promise) void decision.then(answerWith);
    else answerWith(decision);
  }
}
