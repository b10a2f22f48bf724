/** Creates the HTTP servers of the public and the admin listener. */
import type { RequestListener, Server, ServerOptions } from 'node:http';

/** Node's HTTP module. An `import` evaluates all of its exports, one of which loads the client behind `fetch`, which a server with a local feed never needs. */
const { createServer, STATUS_CODES } = process.getBuiltinModule('node:http');

/** Reason phrases by status code (RFC 9112 section 4). */
export const reasonPhrases: Readonly<Record<number, string | undefined>> = STATUS_CODES;

/**
 * Creates an HTTP server that answers clients which close their side behind their last request (RFC 9112 section 9.6). The
 * connection closes behind the last response.
 */
export const createHttpServer = (options: ServerOptions, listener?: RequestListener): Server =>
  Object.assign(createServer(options, listener), { httpAllowHalfOpen: true });
