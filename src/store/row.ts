/** Reads columns of a row with their types, which the schema promises and this file checks. */

/** A row as the driver of either engine returns it. */
export type Row = Readonly<Record<string, unknown>>;

/** Reads a text. */
export function text(row: Row, column: string): string {
  const value = row[column];
  return typeof value === 'string' ? value : unexpected(column);
}

/** Reads a number. */
export function integer(row: Row, column: string): number {
  const value = row[column];
  return typeof value === 'number' ? value : unexpected(column);
}

/** Reads bytes. */
export function bytes(row: Row, column: string): Uint8Array {
  const value = row[column];
  return value instanceof Uint8Array ? value : unexpected(column);
}

/** Reads a JSON array of strings. */
export function list(row: Row, column: string): string[] {
  const value: unknown = JSON.parse(text(row, column));
  if (!Array.isArray(value)) return unexpected(column);
  return value.map((item: unknown) => (typeof item === 'string' ? item : unexpected(column)));
}

/** Reads a text that is one of `values`. */
export function oneOf<T extends string>(row: Row, column: string, values: readonly T[]): T {
  const value = text(row, column);
  return values.find((candidate) => candidate === value) ?? unexpected(column);
}

/** Reads a column that may be NULL. */
export function nullable<T>(read: (row: Row, column: string) => T, row: Row, column: string): T | null {
  return row[column] === null || row[column] === undefined ? null : read(row, column);
}

function unexpected(column: string): never {
  throw new Error(`The store's column ${column} holds a value of another type than its schema says.`);
}
