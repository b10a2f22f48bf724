/** Describes how the members of a record are stored in columns, once for its type, for writing and for reading. */
import type { Queries, Row, Value } from './database.ts';

/** The two conversions between a value and what a column stores. */
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

/** The column of a text. */
export const text = plain((value): value is string => typeof value === 'string');
/** The column of a number. */
export const integer = plain((value): value is number => typeof value === 'number');
/** The column of bytes. */
export const bytes = plain((value): value is Uint8Array => value instanceof Uint8Array);

/** Creates the column of a text that is one of `values`. Reading any other value throws. */
export const createChoiceColumn = <T extends string>(...values: readonly T[]): Column<T> =>
  plain((value): value is T => values.some((candidate) => candidate === value));

/** Creates the column of a value as JSON. Its type is not checked, because only the store writes such a column. */
export const json = <T>(): Column<T> => ({
  write: (value) => JSON.stringify(value),
  read: (row, name) => JSON.parse(text.read(row, name)),
});

/** Returns the column of the same type that may be NULL, which is read as null; so is a column that the row does not have. */
export const nullable = <T>({ write, read }: Column<T>): Column<T | null> => ({
  write: (value) => (value === null ? null : write(value)),
  read: (row, name) => (row[name] === null || row[name] === undefined ? null : read(row, name)),
});

/** The column of each member of a record. */
export type Columns = Readonly<Record<string, Column<unknown>>>;

type RecordFrom<C extends Columns> = { readonly [M in keyof C]: C[M] extends Column<infer T> ? T : never };

/** The type of a record that `defineRecord` describes. */
export type RecordType<R extends { read(row: Row): unknown }> = ReturnType<R['read']>;

/**
 * Describes a record whose members are columns of `table`, with the same names in snake_case. Returns the list of the columns,
 * and functions that read the record from a row, find it and insert it.
 */
export function defineRecord<C extends Columns>(table: string, types: C) {
  const columns = Object.entries(types).map(([member, type]) => ({
    member,
    name: member.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    type,
  }));
  const names = columns.map(({ name }) => name).join(', ');
  const parameters = columns.map((_, index) => `?${index + 1}`).join(', ');
  const read = (row: Row) =>
    Object.fromEntries(columns.map(({ member, name, type }) => [member, type.read(row, name)])) as RecordFrom<C>;
  return {
    /** The columns, separated by commas. */
    columns: names,
    /** Reads the record from a row with its columns. */
    read,
    /** Reads the first row that meets an SQL condition with `values` as its parameters, or returns undefined if there is none. */
    async find(queries: Queries, condition: string, ...values: Value[]): Promise<RecordFrom<C> | undefined> {
      const row = await queries.get(`SELECT ${names} FROM ${table} WHERE ${condition}`, ...values);
      return row && read(row);
    },
    /** Inserts a row. Returns false and changes nothing if one of its unique columns has a value that is taken. */
    async insert(queries: Queries, record: RecordFrom<C>): Promise<boolean> {
      const values = columns.map(({ member, type }) => type.write(record[member]));
      const sql = `INSERT INTO ${table} (${names}) VALUES (${parameters}) ON CONFLICT DO NOTHING`;
      return (await queries.run(sql, ...values)) === 1;
    },
  };
}
