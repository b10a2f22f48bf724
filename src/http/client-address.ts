/** Whose request it is: the socket's peer, or what trusted proxies say in X-Forwarded-For or Forwarded. */
import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';

/** Which proxies are believed: none, so many hops, or those within the ranges. */
export type ProxyTrust =
  | { readonly kind: 'none' }
  | { readonly kind: 'hops'; readonly hops: number }
  | { readonly kind: 'ranges'; readonly ranges: readonly (readonly [ipaddr.IPv4 | ipaddr.IPv6, number])[] };

const mostHops = 50;

/** Walks from the peer outwards and stops at the first address that is not trusted, or is no address. */
export function clientAddress(request: IncomingMessage, trust: ProxyTrust): string {
  const peer = request.socket.remoteAddress ?? '';
  if (trust.kind === 'none') return peer;
  const forwarded = forwardedFor(request).slice(-mostHops).reverse();
  let current = peer;
  for (const [index, hop] of forwarded.entries()) {
    if (!trusted(current, index, trust) || !ipaddr.isValid(hop)) break;
    current = hop;
  }
  return current;
}

/** X-Forwarded-For where there is one, else the `for` of each element of Forwarded (RFC 7239); nearest proxy last. */
function forwardedFor(request: IncomingMessage): string[] {
  const list = request.headers['x-forwarded-for'];
  if (typeof list === 'string') return list.split(',').map((hop) => hop.trim());
  const forwarded = request.headers.forwarded;
  if (typeof forwarded !== 'string') return [];
  return forwarded.split(',').map((member) => {
    const value = /(?:^|;)\s*for=("?)([^";,]*)\1/i.exec(member)?.[2] ?? '';
    return value.replace(/^\[(.*)\](:\d+)?$/, '$1').replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1');
  });
}

function trusted(address: string, index: number, trust: ProxyTrust): boolean {
  if (trust.kind === 'hops') return index < trust.hops;
  if (trust.kind === 'none' || !ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  return trust.ranges.some(([range, bits]) => parsed.kind() === range.kind() && parsed.match(range, bits));
}
