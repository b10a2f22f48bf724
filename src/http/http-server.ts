/** Creates the HTTP servers of the public and the admin listener, and returns their addresses. */
import type { RequestListener, Server, ServerOptions } from 'node:http';
import type { Server as SocketServer } from 'node:net';
import { createHttpOrigin } from '../base/host-name.ts';

/**
 * Node's HTTP module. An `import` evaluates all of its exports, one of which loads the client behind `fetch`, which a server with a
 * local feed never needs.
 */
const { createServer, STATUS_CODES } = process.getBuiltinModule('node:http');

/** Reason phrases by status code (RFC 9112 section 4). */
export const reasonPhrases: Readonly<Record<number, string | undefined>> = STATUS_CODES;

/**
 * Creates an HTTP server, which does not listen yet and responds also to clients that close their side behind their last request
 * (RFC 9112 section 9.6). The connection closes behind the last response.
 */
export const createHttpServer = (options: ServerOptions, listener?: RequestListener): Server =>
  Object.assign(createServer(options, listener), { httpAllowHalfOpen: true });

/** Returns the port of a listening server, also if the system chose it. Throws an Error if the server does not listen. */
export function getPort(server: SocketServer): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('This server listens at no port.');
  return address.port;
}

/** Returns `http://HOST:PORT` of a listening server, with brackets around an IPv6 `host`. Throws an Error if it does not listen. */
export const getOrigin = (server: SocketServer, host: string): string => createHttpOrigin(host, getPort(server));
