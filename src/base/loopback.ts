/** Decides whether a host is this machine, for checks that trust such a host, warn about it or refuse it. */
import ipaddr from 'ipaddr.js';

/**
 * Returns whether an address is in 127.0.0.0/8 or is ::1, with or without brackets. An IPv4 address written as IPv6 is not:
 * programs differ on it.
 */
export function isLoopbackAddress(host: string): boolean {
  const bare = host.replace(/^\[(.*)\]$/, '$1');
  // Short and octal forms, such as `127.1`, are addresses to some programs and names to others, so they are refused.
  const isWhole = bare.includes(':') || ipaddr.IPv4.isValidFourPartDecimal(bare);
  return isWhole && ipaddr.isValid(bare) && ipaddr.parse(bare).range() === 'loopback';
}

/**
 * Returns whether a host without a port and without a final dot is a loopback address, `localhost`, or a name below it (RFC 6761
 * section 6.3), in any case.
 */
export const isLoopback = (host: string): boolean => /^([^.]+\.)*localhost$/i.test(host) || isLoopbackAddress(host);
