/** Decides which addresses a feed may be fetched from: https, or http to this machine, and no redirect into a private network. */

import { lookup } from 'node:dns/promises';
import ipaddr from 'ipaddr.js';
import { isLoopback } from '../base/loopback.ts';
import { FeedFault } from './fault.ts';

/** Returns the IP addresses of a host name; rejects for a name without any. */
export type Resolve = (host: string) => Promise<readonly string[]>;

const resolveHost: Resolve = async (host) => (await lookup(host, { all: true })).map(({ address }) => address);

/**
 * Parses the URL of a source, which must be https, or http to this machine, and must not contain a user name or a password. Throws
 * a FeedFault (`failed`) with a message about the fault.
 */
export function readFeedAddress(source: string): URL {
  const url = URL.parse(source);
  if (url === null) throw new FeedFault('failed', 'The feed’s source is not a valid URL.');
  if (url.username !== '' || url.password !== '') {
    throw new FeedFault('failed', 'The feed’s URL must not hold a user name or a password.');
  }
  if (!isAllowed(url))
    throw new FeedFault('failed', 'The feed’s URL must be https; http is allowed only for this machine.');
  return url;
}

/**
 * Returns the absolute URL that a redirect or link from `from` leads to. The operator chose the source, not where it sends us, so a
 * target on this machine or in a private network is refused unless the source itself is on this machine. Names are looked up first;
 * a name that changes its address between that look-up and the request is not caught.
 *
 * @param location the Location header or the link; null is refused
 * @param source the URL of the feed as it is configured
 * @param what whether messages speak of a redirect or a link
 * @throws FeedFault (`failed`) if the target is refused, has a host that cannot be found or a user name, or is neither https nor
 * http to this machine
 */
export async function resolveRedirect(
  location: string | null,
  from: URL,
  source: URL,
  resolve: Resolve = resolveHost,
  what: 'redirect' | 'link' = 'redirect',
): Promise<URL> {
  const createFault = (where: string): FeedFault => createRefusal(what, where);
  const url = location === null ? null : URL.parse(location, from.href);
  if (url === null) throw createFault('to no valid address');
  if (!isAllowed(url)) throw createFault('to an address that is not https');
  if (url.username !== '' || url.password !== '') throw createFault('to an address with a user name');
  if (isLoopback(url.hostname)) {
    if (isLoopback(source.hostname)) return url;
    throw createFault('to this machine');
  }
  if (!isLoopback(source.hostname)) await refusePrivate(url, resolve, createFault);
  return url;
}

const createRefusal = (what: 'redirect' | 'link', where: string): FeedFault =>
  what === 'link'
    ? new FeedFault('failed', `The feed links ${where}, which is not followed.`)
    : new FeedFault('failed', `The feed’s server redirects ${where}, which is not followed. Configure the final URL.`);

/** Returns whether `source` has the scheme, host and port of the URL `origin`; false if either is no URL, such as a path or ''. */
export const hasOrigin = (source: string, origin: string): boolean => {
  const url = URL.parse(source);
  return url !== null && url.origin === URL.parse(origin)?.origin;
};

/** Returns a URL for logs: only its origin and path, because the query or the credentials may be secret. */
export const describeAddress = (url: URL): string => `${url.origin}${url.pathname}`;

const isAllowed = (url: URL): boolean =>
  url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname));

const readHost = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '');

async function refusePrivate(url: URL, resolve: Resolve, refusal: (where: string) => FeedFault): Promise<void> {
  const host = readHost(url);
  const notFound = `The host ${host}, which the feed points to, cannot be found.`;
  let addresses: readonly string[];
  try {
    addresses = ipaddr.isValid(host) ? [host] : await resolve(host);
  } catch (cause) {
    throw new FeedFault('failed', notFound, { cause });
  }
  if (addresses.length === 0) throw new FeedFault('failed', notFound);
  if (!addresses.every(isPublic)) throw refusal('into a private network');
}

/**
 * Returns whether a text is an IP address of the public internet. IPv4-compatible IPv6 addresses (RFC 4291 section 2.5.5.1) are
 * not, because they reach any IPv4 host.
 */
function isPublic(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text);
  return address.range() === 'unicast' && !(address instanceof ipaddr.IPv6 && address.match(ipv4Compatible));
}

const ipv4Compatible = ipaddr.IPv6.parseCIDR('::/96');
