/** The key that an address is counted under: IPv4 as it is, IPv6 by its /64, because one host can use every address of a /64. */
import { isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * Returns the key under which `address`, in the form that a socket gives it, is counted: an IPv4 address as it is, even if it is
 * written as IPv6, and for IPv6 the 16 hexadecimal digits of its first half and `/64`. Text that is no address is its own key, up
 * to a `%`.
 */
export function createAddressKey(address: string): string {
  if (isIPv4(address)) return address;
  const [bare = ''] = address.split('%');
  if (!ipaddr.isValid(bare)) return bare;
  const parsedAddress = ipaddr.process(bare);
  if (parsedAddress.kind() === 'ipv4') return parsedAddress.toString();
  return `${Buffer.from(parsedAddress.toByteArray().slice(0, 8)).toString('hex')}/64`;
}
