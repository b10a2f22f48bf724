/** Which hosts are this machine: everything that trusts, warns or refuses by it asks here. */
import ipaddr from 'ipaddr.js';

/** An address of 127.0.0.0/8, or ::1; with brackets or without. An IPv4 address written as IPv6 is not taken: programs differ on it. */
export function isLoopbackAddress(host: string): boolean {
  const bare = host.replace(/^\[(.*)\]$/, '$1');
  // Short and octal forms are addresses to some programs and names to others.
  const isWhole = bare.includes(':') || ipaddr.IPv4.isValidFourPartDecimal(bare);
  return isWhole && ipaddr.isValid(bare) && ipaddr.parse(bare).range() === 'loopback';
}

/** A loopback address, `localhost`, or a name below it, which leads nowhere else (RFC 6761 section 6.3). No port. */
export const isLoopback = (host: string): boolean => /^([^.]+\.)*localhost$/i.test(host) || isLoopbackAddress(host);
