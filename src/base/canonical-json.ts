/** Writes equal JSON values as equal texts, with sorted keys and no white space, so that equal bodies have equal hashes. */

/**
 * Returns a parsed JSON value as JSON without white space, with the keys in the order of RFC 8785 (UTF-16 code units). Undefined is
 * left out of objects and is `null` elsewhere. Deep nesting exhausts the stack, so the caller has to refuse it.
 */
export function writeCanonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(writeCanonicalJson).join(',')}]`;
  if (value !== null && typeof value === 'object') {
    const members = Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
    return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${writeCanonicalJson(member)}`).join(',')}}`;
  }
  return JSON.stringify(value) ?? 'null';
}
