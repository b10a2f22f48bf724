/** Paths in a value: writes them as text, and reads what they lead to. */

/** The keys and indexes that lead from a value to one of its parts. */
export type Path = readonly PropertyKey[];

/** Returns a path as text, such as `feed.public_keys[0]`. */
export const formatPath = (path: Path): string =>
  path
    .map((part, index) => (typeof part === 'number' ? `[${part}]` : `${index > 0 ? '.' : ''}${String(part)}`))
    .join('');

/** Returns the value at `path`, or undefined if there is none. */
export function getValue(value: unknown, path: Path): unknown {
  let current = value;
  for (const part of path) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, part)) return undefined;
    current = Reflect.get(current, part);
  }
  return current;
}
