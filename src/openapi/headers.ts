/** References to the headers of the contract's responses. */
import { everyResponseHas, type HeaderObject, responseHeaders } from '../operations/response-headers.ts';

/** To the headers that every response has, and to `more`; `own` are described in place, for they mean something else here. */
export const headerRefs = (
  more: readonly string[] = [],
  own: Readonly<Record<string, HeaderObject>> = {},
): Record<string, HeaderObject | { $ref: string }> => {
  const refs = [...everyResponseHas, ...more].map((name) => [name, { $ref: `#/components/headers/${name}` }] as const);
  return Object.fromEntries([...refs, ...Object.entries(own)].sort(([a], [b]) => (a < b ? -1 : 1)));
};

/** A header that only some responses of this status have. `when`: which, as the beginning of its description. */
export function sometimes(name: string, when: string): Record<string, HeaderObject> {
  const header = responseHeaders('')[name];
  if (header === undefined) throw new Error(`${name} is not a header of the contract`);
  return { [name]: { ...header, required: false, description: `${when}: ${lowerFirst(header.description)}` } };
}

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);
