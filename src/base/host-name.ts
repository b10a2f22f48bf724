/** Compares host names: one name has several spellings in Host headers and URLs. */

/** Returns the name in a Host header or in a URL's `host`: lowercase, without the port and the final dot. */
export const hostName = (host: string): string => host.toLowerCase().replace(/:\d+$/, '').replace(/\.$/, '');
