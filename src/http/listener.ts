/** Creates the public node:http server: its timeouts and bounds, the refusals of its parser, and its shutdown. */

import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '../base/clock.ts';
import { maxHeadBytes } from '../base/request-limits.ts';
import { createAddressKey } from '../limits/address-key.ts';
import type { Service } from '../operations/context.ts';
import { createHttpServer } from './http-server.ts';
import { createParserError, findPlace, type ParserError, refuseOnSocket } from './parser-errors.ts';
import type { Rates } from './rate.ts';

/** How long a client may take, in milliseconds. */
export interface Timeouts {
  /** Maximum time until the headers have arrived. */
  readonly headers: number;
  /** Maximum time until the whole request has arrived. */
  readonly request: number;
  /** Interval of the check for connections that are late. */
  readonly check: number;
}

const defaultTimeouts: Timeouts = { headers: 10_000, request: 15_000, check: 1000 };

/** Options of the public server. */
export interface ListenerOptions {
  readonly clock: Clock;
  /** Returns the service, whose origin is known only once the port is. Is called only for a request that the parser refuses. */
  service(): Service;
  readonly rates: Pick<Rates, 'peek'>;
  /** Creates the ID of a request that the parser refuses. */
  readonly newId: () => string;
  /** Is called for each request that the parser accepts, except CONNECT and what follows the last request of a connection. */
  handle(request: IncomingMessage, response: ServerResponse): void;
  /** Returns whether connections are to close after the response that they wait for. */
  draining(): boolean;
  /**
   * Is called for each request that the parser refused before its response began, a CONNECT included, with its ID and the code of
   * the refusal.
   */
  onRefused(id: string, code: string): void;
  /** The timeouts; by default 10 seconds for the headers and 15 for the whole request, checked each second. */
  readonly timeouts?: Timeouts;
}

/** The state of a connection. */
interface Connection {
  /** The response to its newest request, and the one before it; null once they have left. */
  latest: ServerResponse | null;
  before: ServerResponse | null;
  /** Whether the parser's refusal is written, or waits for the responses before it. */
  refused: boolean;
}

/** Creates the public server, which calls `handle` for each request. It does not listen yet. */
export function createListener(options: ListenerOptions): Server {
  const { handle, timeouts = defaultTimeouts } = options;
  const server = createHttpServer({
    // Node lets requests with two Host headers or none pass, so that the guard refuses them with a problem document.
    requireHostHeader: false,
    headersTimeout: timeouts.headers,
    requestTimeout: timeouts.request,
    keepAliveTimeout: 65_000,
    connectionsCheckingInterval: timeouts.check,
    // The gate refuses a head above `maxHeadBytes` as its path requires; the limit of the parser is twice as high.
    maxHeaderSize: 2 * maxHeadBytes,
    // Most requests have no body, and the events of an empty stream would take a twentieth of the time of a GET.
    optimizeEmptyRequests: true,
  });
  server.maxHeadersCount = 0;
  server.maxConnections = 10_000;
  const connections = new WeakMap<Socket, Connection>();
  const findConnection = (socket: Socket): Connection => {
    const connection = connections.get(socket) ?? { latest: null, before: null, refused: false };
    connections.set(socket, connection);
    return connection;
  };
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    const { socket } = request;
    const connection = findConnection(socket);
    if (isOver(socket, connection)) return;
    connection.before = connection.latest;
    connection.latest = response;
    response.on('finish', forget);
    if (options.draining()) response.shouldKeepAlive = false;
    handle(request, response);
  };
  server.on('request', answer);
  server.on('checkContinue', answer);
  server.on('checkExpectation', answer);
  server.on('connect', (_request: IncomingMessage, socket: Socket) => {
    // For CONNECT, Node removes its listeners from the socket; without this one, a connection error would end the process.
    socket.on('error', () => socket.destroy());
    refuse(socket, {});
  });
  server.on('clientError', (error: ParserError, socket: Socket) => {
    if (error.code === 'ECONNRESET') socket.destroy();
    // A socket that is not writable was ended already, and closes once its remaining responses are sent.
    else if (socket.writable) refuse(socket, error);
  });
  return server;

  /** Drops the references of a connection to its finished response, `this`, which an idle connection would keep alive. */
  function forget(this: ServerResponse): void {
    const connection = findConnection(this.req.socket);
    if (connection.before === this) connection.before = null;
    if (connection.latest === this && this.req.complete) connection.latest = null;
  }

  /** Returns whether nothing more may be read from a connection (RFC 9112 section 9.6): what follows its last request may be smuggled. */
  function isOver(socket: Socket, { latest, refused }: Connection): boolean {
    return refused || socket.writableEnded || latest?.shouldKeepAlive === false;
  }

  /**
   * Responds to a request that the parser rejects, behind the responses to the requests before it, or only closes the connection if
   * a response to it has begun. Does nothing on a connection that was refused before, nor for what follows its last request.
   */
  function refuse(socket: Socket, error: ParserError): void {
    const connection = findConnection(socket);
    const { latest, before } = connection;
    if (connection.refused) return;
    if (latest === null || latest.req.complete) {
      if (isOver(socket, connection)) return;
      connection.refused = true;
      runAfterResponse(latest, () => answerOn(socket, error, null));
      return;
    }
    // The fault is in a body. If its request has a response already, the client would read a second one as that of the next request.
    connection.refused = true;
    runAfterResponse(before, () => {
      if (latest.headersSent) runAfterResponse(latest, () => socket.destroySoon());
      else answerOn(socket, error, latest.req);
    });
  }

  /** Writes the refusal; `request` is the one whose body is at fault, or null if a head is. */
  function answerOn(socket: Socket, error: ParserError, request: IncomingMessage | null): void {
    const failure = createParserError(error.code);
    const id = options.newId();
    const { target, path, bucket } = findPlace(error, request);
    const decision = options.rates.peek(bucket, createAddressKey(socket.remoteAddress ?? ''));
    options.onRefused(id, failure.code);
    if (!socket.writable) return;
    refuseOnSocket(socket, failure, { id, target, path, bucket, decision }, options.service());
    // The client gets `lingerMs` to read the response; then the connection is closed.
    socket.once(
      'close',
      options.clock.after(lingerMs, () => socket.destroy()),
    );
  }
}

/** How long a connection that was refused may stay half open, in milliseconds. */
const lingerMs = 2000;

/** Calls `act` once the response has left, at once if there is none, and never if its connection breaks before. */
function runAfterResponse(response: ServerResponse | null, act: () => void): void {
  if (response === null || response.writableFinished) act();
  else response.once('finish', act);
}

/**
 * Accepts no further connection, and lets requests in progress end. Resolves once every connection is closed; after `maxMs`
 * milliseconds the remaining ones are cut.
 */
export async function drain(server: Server, clock: Clock, maxMs: number): Promise<void> {
  const closing = once(server, 'close');
  server.close();
  // Idle connections are closed repeatedly: each one whose response was just sent would otherwise wait for a next request.
  let cancelSweep = () => {};
  const sweep = (): void => {
    server.closeIdleConnections();
    cancelSweep = clock.after(50, sweep);
  };
  sweep();
  const cancel = clock.after(maxMs, () => server.closeAllConnections());
  await closing;
  cancelSweep();
  cancel();
}
