/** Creates request IDs. */
import { randomBytes } from 'node:crypto';

/**
 * Returns a function that creates unique request IDs: `req_`, 16 hexadecimal digits that are chosen at random once in each call of
 * `createRequestIds`, and a count from 1 in base 36 of at least six digits.
 */
export function createRequestIds(): () => string {
  const prefix = `req_${randomBytes(8).toString('hex')}`;
  let count = 0;
  return () => {
    count += 1;
    return prefix + count.toString(36).padStart(6, '0');
  };
}
