/** Describes how the members of a record are stored in columns, once for writing and for reading. */

/** A row as the driver of either engine returns it. */
export type Row = Readonly<Record<string, unknown>>;

/** A parameter of a statement. */
export type Value = string | number | Uint8Array | null;

/** How a type is stored in a column. */
export interface Column<T> {
  write(value: T): Value;
  /** Reads the column `name` of a row. Throws if its value has another type than the schema promises. */
  read(row: Row, name: string): T;
}

const plain = <T extends Value>(isType: (value: unknown) => value is T): Column<T> => ({
  write: (value) => value,
  read(row, name) {
    const value = row[name];
    if (isType(value)) return value;
    throw new Error(`The store's column ${name} holds a value of another type than its schema says.`);
  },
});

/** A text. */
export const text = plain((value): value is string => typeof value === 'string');
/** A number. */
export const integer = plain((value): value is number => typeof value === 'number');
/** Bytes. */
export const bytes = plain((value): value is Uint8Array => value instanceof Uint8Array);

/** A text that is one of `values`. */
export const oneOf = <T extends string>(...values: readonly T[]): Column<T> =>
  plain((value): value is T => values.some((candidate) => candidate === value));

/** A value as JSON. Only the store writes such a column. */
export const json = <T>(): Column<T> => ({
  write: (value) => JSON.stringify(value),
  read: (row, name) => JSON.parse(text.read(row, name)),
});

/** A column that may be NULL. */
export const nullable = <T>({ write, read }: Column<T>): Column<T | null> => ({
  write: (value) => (value === null ? null : write(value)),
  read: (row, name) => (row[name] === null || row[name] === undefined ? null : read(row, name)),
});

/** The column of each member of a record. */
export type Columns<T> = { readonly [M in keyof T]: Column<T[M]> };

/** A record whose members are stored in columns of the same names in snake_case. */
export interface StoredRecord<T> {
  /** The columns, separated by commas. */
  readonly columns: string;
  /** A parameter for each column, separated by commas. */
  readonly parameters: string;
  /** Returns the values of the parameters. */
  write(record: T): Value[];
  read(row: Row): T;
}

/** Describes a record by the column of each of its members. */
export function defineRecord<T extends object>(types: Columns<T>): StoredRecord<T> {
  const members = Object.keys(types) as (keyof T & string)[];
  const columns = members.map((member) => ({
    member,
    name: member.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    type: types[member],
  }));
  return {
    columns: columns.map(({ name }) => name).join(', '),
    parameters: columns.map((_, index) => `?${index + 1}`).join(', '),
    write: (record) => columns.map(({ member, type }) => type.write(record[member])),
    read: (row) => Object.fromEntries(columns.map(({ member, name, type }) => [member, type.read(row, name)])) as T,
  };
}
