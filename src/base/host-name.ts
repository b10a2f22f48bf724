/** Host names and origins as they are written in headers and URLs. */

/**
 * Returns the name in a Host header or in a URL's `host`: lowercase, without the port and the final dot. An IPv6 address keeps its
 * brackets.
 */
export const normalizeHostName = (host: string): string => host.toLowerCase().replace(/:\d+$/, '').replace(/\.$/, '');

/** Returns `http://HOST:PORT`, with the port even if it is 80, and with brackets around an IPv6 address; `host` has none. */
export const createHttpOrigin = (host: string, port: number): string =>
  `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
