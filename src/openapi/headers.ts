/** References to the headers of the contract's responses. */
import { everyResponseHas } from '../operations/response-headers.ts';

/** To the headers that every response has, and to `more`. */
export const headerRefs = (more: readonly string[] = []): Record<string, { $ref: string }> =>
  Object.fromEntries(
    [...everyResponseHas, ...more].sort().map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );
