/** Statements on one connection of PostgreSQL's driver, and its failures in the service's own terms. */
import { type ClientBase, DatabaseError, type QueryResult } from 'pg';
import { storeDown } from '../database.ts';
import type { Row } from '../row.ts';

/**
 * One statement, prepared once on each connection under its name. It lists its columns: a plan for `*` fails on the
 * connections that are open while a newer release adds a column.
 */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/** `name` is unlike any other's and has at most 63 characters. */
export const statement = (name: string, text: string): Statement => ({ name, text });

type Single = string | number | boolean | Uint8Array | null;
export type Value = Single | readonly Single[];

export interface Queries {
  get(statement: Statement, ...values: Value[]): Promise<Row | undefined>;
  all(statement: Statement, ...values: Value[]): Promise<Row[]>;
  /** How many rows were inserted, changed or deleted. */
  run(statement: Statement, ...values: Value[]): Promise<number>;
}

/** The statements of one connection. `named`: prepared once; a connection that is shared cannot keep them. */
export function queriesOn(client: ClientBase, named: boolean): Queries {
  const ask = ({ name, text }: Statement, values: Value[]): Promise<QueryResult<Row>> =>
    answered(client.query<Row>({ ...(named && { name }), text, values: values.map(storable) }));
  return {
    get: async (asked, ...values) => (await ask(asked, values)).rows[0],
    all: async (asked, ...values) => (await ask(asked, values)).rows,
    run: async (asked, ...values) => (await ask(asked, values)).rowCount ?? 0,
  };
}

/** What the driver promises, with its outages as `upstream_unavailable`. */
export async function answered<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    throw isOutage(error) ? storeDown(error) : error;
  }
}

/** PostgreSQL's text has no U+0000; what has one is stored with the replacement character, and finds nothing. */
const storable = (value: Value): Value => (isList(value) ? value.map(storableOne) : storableOne(value));

const storableOne = (value: Single): Single => (typeof value === 'string' ? value.replaceAll('\0', '\ufffd') : value);

const isList = (value: Value): value is readonly Single[] => Array.isArray(value);

/**
 * Whether the database is out of order, and not the statement: everything that is no response from the server, and every
 * response (SQLSTATE, postgresql.org/docs/current/errcodes-appendix.html) that is about neither data nor syntax. A pooler that
 * hands a connection on to somebody else answers 42P05 or 26000: the statement's name is taken there, or not known.
 */
function isOutage(error: unknown): boolean {
  if (!(error instanceof DatabaseError)) return true;
  const code = error.code ?? '';
  return ['42501', '42P01', '42P05', '3F000'].includes(code) || !/^(?:0A|2[1-3]|42)/.test(code);
}

/** BIGINT comes as text, since it may be larger than a number can hold; ours are moments and counts. */
export const readNumbers = (client: ClientBase): void => client.setTypeParser(20, Number);
