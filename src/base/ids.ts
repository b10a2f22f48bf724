/** Identifiers that the service makes up. */
import { randomBytes } from 'node:crypto';

const base32 = '0123456789abcdefghjkmnpqrstvwxyz';

/** Crockford's base 32 in lower case, five bits a character; the last character is padded with zero bits. */
export function toBase32(bytes: Uint8Array): string {
  let text = '';
  let bits = 0;
  let held = 0;
  for (const byte of bytes) {
    held = (held << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += base32[(held >> bits) & 31];
    }
    held &= (1 << bits) - 1;
  }
  return bits > 0 ? text + base32[(held << (5 - bits)) & 31] : text;
}

/** The bytes of such a text, without padding bits; null when a character is none of the alphabet. */
export function fromBase32(text: string): Buffer | null {
  const bytes: number[] = [];
  let bits = 0;
  let held = 0;
  for (const character of text) {
    const value = base32.indexOf(character);
    if (value === -1) return null;
    held = (held << 5) | value;
    bits += 5;
    if (bits >= 8) {
      bits -= 8;
      bytes.push((held >> bits) & 255);
      held &= (1 << bits) - 1;
    }
  }
  return Buffer.from(bytes);
}

/** Request ids: random per process, then counted, so that they are unique and cost no randomness each. */
export function createRequestIds(): () => string {
  const prefix = `req_${toBase32(randomBytes(10))}`;
  let count = 0;
  return () => {
    count += 1;
    return prefix + count.toString(36).padStart(6, '0');
  };
}
