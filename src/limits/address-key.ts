/** The key that an address is counted under: IPv4 as it is, IPv6 by its /64, since one host commands all of that. */
import ipaddr from 'ipaddr.js';

/** `address` as a socket gives it. Something that is no address is its own key. */
export function addressKey(address: string): string {
  const held = known.get(address);
  if (held !== undefined) return held;
  const made = keyOf(address);
  if (known.size >= mostKnown) known.clear();
  known.set(address, made);
  return made;
}

/** One client sends many requests, and reading its address costs as much as counting them. */
const known = new Map<string, string>();
const mostKnown = 2000;

function keyOf(address: string): string {
  const bare = address.split('%')[0] ?? '';
  if (!ipaddr.isValid(bare)) return bare;
  const parsed = ipaddr.process(bare);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return `${parsed
    .toByteArray()
    .slice(0, 8)
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')}/64`;
}
