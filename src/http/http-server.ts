/** Creates the HTTP servers of the public and the admin listener. */
import { createServer, type RequestListener, type Server, type ServerOptions } from 'node:http';

/**
 * Creates an HTTP server that answers clients which close their side behind their last request (RFC 9112 section 9.6). The
 * connection closes behind the last response.
 */
export const createHttpServer = (options: ServerOptions, listener?: RequestListener): Server =>
  Object.assign(createServer(options, listener), { httpAllowHalfOpen: true });
