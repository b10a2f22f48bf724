/** Finds the client's address: the socket's peer, or what trusted proxies send in X-Forwarded-For or Forwarded. */
import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';

/**
 * The proxies that are trusted: none, a number of hops, or those within the ranges, each of which is an address and the length of
 * its prefix in bits.
 */
export type ProxyTrust =
  | { readonly kind: 'none' }
  | { readonly kind: 'hops'; readonly hops: number }
  | { readonly kind: 'ranges'; readonly ranges: readonly (readonly [ipaddr.IPv4 | ipaddr.IPv6, number])[] };

/** Maximum number of proxies that are looked at. */
const maxHops = 50;

/**
 * Creates the function that returns the address of a request's client as `findClientAddress` does. If `trust` is `none`,
 * `onIgnored` is called once, with the address of the first peer that sends a forwarding header.
 */
export function createAddressReader(
  trust: ProxyTrust,
  onIgnored: (peer: string) => void,
): (request: IncomingMessage) => string {
  let isReported = trust.kind !== 'none';
  return (request) => {
    const address = findClientAddress(request, trust);
    const { headers } = request;
    if (!isReported && (headers['x-forwarded-for'] ?? headers.forwarded) !== undefined) {
      isReported = true;
      onIgnored(address);
    }
    return address;
  };
}

/**
 * Returns the address of a request's client: the first one, from the peer outwards, that is not trusted or is followed by an
 * invalid one, or else the last; behind the peer, at most 50 are looked at. It has no port, and the address of a peer whose
 * connection has closed is empty.
 */
export function findClientAddress(request: IncomingMessage, trust: ProxyTrust): string {
  const peer = request.socket.remoteAddress ?? '';
  if (trust.kind === 'none') return peer;
  const addresses = listForwardedAddresses(request).slice(-maxHops).reverse();
  let current = peer;
  for (const [index, hop] of addresses.entries()) {
    if (!isTrusted(current, index, trust) || !ipaddr.isValid(hop)) break;
    current = hop;
  }
  return current;
}

/**
 * Returns the addresses in X-Forwarded-For if there is one, otherwise the `for` of each element of Forwarded (RFC 7239), which is
 * '' if it has none. They are unchecked, and the nearest proxy is last; the array is empty without either header.
 */
function listForwardedAddresses(request: IncomingMessage): string[] {
  const list = request.headers['x-forwarded-for'];
  if (typeof list === 'string') return list.split(',').map((hop) => hop.trim());
  const forwardedHeader = request.headers.forwarded;
  if (typeof forwardedHeader !== 'string') return [];
  return forwardedHeader.split(',').map((member) => {
    const value = /(?:^|;)\s*for=("?)([^";,]*)\1/i.exec(member)?.[2] ?? '';
    return value.replace(/^\[(.*)\](:\d+)?$/, '$1').replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1');
  });
}

function isTrusted(address: string, index: number, trust: ProxyTrust): boolean {
  if (trust.kind === 'hops') return index < trust.hops;
  if (trust.kind === 'none' || !ipaddr.isValid(address)) return false;
  const parsedAddress = ipaddr.process(address);
  return trust.ranges.some(
    ([range, bits]) => parsedAddress.kind() === range.kind() && parsedAddress.match(range, bits),
  );
}
