/** Places in a value: how they are written, and what is there. */

export type Path = readonly PropertyKey[];

/** `feed.public_keys[0]` */
export const nameOf = (path: Path): string =>
  path
    .map((part, index) => (typeof part === 'number' ? `[${part}]` : `${index > 0 ? '.' : ''}${String(part)}`))
    .join('');

/** The value at `path`, or undefined. */
export function valueAt(value: unknown, path: Path): unknown {
  let current = value;
  for (const part of path) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, part)) return undefined;
    current = Reflect.get(current, part);
  }
  return current;
}
