/** Creates request IDs. */
import { randomBytes } from 'node:crypto';

/**
 * Returns a function that creates unique request IDs: `req_`, 16 hexadecimal digits that are random once for each such function,
 * and a count in base 36 of at least six digits, which costs no randomness.
 */
export function createRequestIds(): () => string {
  const prefix = `req_${randomBytes(8).toString('hex')}`;
  let count = 0;
  return () => {
    count += 1;
    return prefix + count.toString(36).padStart(6, '0');
  };
}
