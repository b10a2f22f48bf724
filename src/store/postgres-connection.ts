/** A bounded pool of connections to PostgreSQL: named statements, transactions, time limits, and its errors in our terms. */
import { Socket } from 'node:net';
import { Client, type ClientBase, type ClientConfig, DatabaseError, Pool, type QueryResult } from 'pg';
import { ApiError } from '../base/api-error.ts';
import type { Log } from '../base/log.ts';
import { storeDown } from './outage.ts';
import { type PostgresAddress, tlsOptions } from './postgres-address.ts';
import type { Row } from './row.ts';

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

export type Value = string | number | boolean | Uint8Array | null;

export interface Queries {
  get(statement: Statement, ...values: Value[]): Promise<Row | undefined>;
  all(statement: Statement, ...values: Value[]): Promise<Row[]>;
  /** How many rows were inserted, changed or deleted. */
  run(statement: Statement, ...values: Value[]): Promise<number>;
}

export interface PostgresConnection extends Queries {
  /**
   * All of `work` or nothing of it, at READ COMMITTED: each statement sees what was committed before it began, so a row
   * that must not change in between is locked first. Throwing rolls back, and so does a result that `keep` refuses.
   */
  transaction<T>(work: (queries: Queries) => Promise<T>, keep?: (result: T) => boolean): Promise<T>;
  /**
   * A connection beside the pool, for what lives as long as a session does. `onEnd` is called once when it is lost.
   * Rejects with the driver's own error when there is none to be had.
   */
  openSession(options: SessionOptions): Promise<Session>;
  /** Connections of the pool, those at work, and who waits for one. */
  pool(): { open: number; busy: number; waiting: number };
  close(): Promise<void>;
}

export interface SessionOptions {
  /** false: statements may take as long as they need. */
  readonly limited: boolean;
  onEnd?(): void;
}

export interface Session extends Queries {
  /** Statements without values, several at once. */
  script(sql: string): Promise<void>;
  close(): void;
}

export interface PostgresConnectionOptions {
  readonly address: PostgresAddress;
  readonly log: Log;
  /** Connections at most; 10 unless told. */
  readonly size?: number;
}

/** Milliseconds. The server gives a statement up first; the client, when the server or the network does not answer. */
const statementTimeout = 2000;
const answerTimeout = 3000;
/** For a new connection, and for a turn in the pool. */
const connectTimeout = 2000;
/** A transaction whose process fell silent gives its locks back. */
const idleTransactionTimeout = 5000;

/** Connects when it is first asked. */
export function createPostgresConnection(options: PostgresConnectionOptions): PostgresConnection {
  const { address, log, size = 10 } = options;
  const settings = clientSettings(address);
  // Idle connections keep no process alive that has closed everything else.
  const pool = new Pool({ ...settings, ...limits, max: size, idleTimeoutMillis: 30_000, allowExitOnIdle: true });
  pool.on('connect', readNumbers);
  // Not the error itself: the pool hangs the whole client on it.
  pool.on('error', ({ message }) =>
    log.warn({ event: 'store.connection_lost', problem: message }, 'an idle connection to the database was lost'),
  );

  /** A connection that failed is not used again: what state it is in cannot be known. */
  async function withClient<T>(work: (client: ClientBase) => Promise<T>): Promise<T> {
    const client = await answered(pool.connect());
    let broken: Error | undefined;
    const onError = (error: Error): void => {
      broken = error;
    };
    client.on('error', onError);
    try {
      return await work(client);
    } catch (error) {
      if (error instanceof ApiError) broken ??= error;
      throw error;
    } finally {
      client.off('error', onError);
      client.release(broken);
    }
  }

  let closing: Promise<void> | null = null;
  return {
    get: (...asked) => withClient((client) => queriesOn(client).get(...asked)),
    all: (...asked) => withClient((client) => queriesOn(client).all(...asked)),
    run: (...asked) => withClient((client) => queriesOn(client).run(...asked)),
    transaction: (work, keep = () => true) =>
      withClient(async (client) => {
        await answered(client.query('BEGIN'));
        try {
          const result = await work(queriesOn(client));
          await answered(client.query(keep(result) ? 'COMMIT' : 'ROLLBACK'));
          return result;
        } catch (error) {
          if (!(error instanceof ApiError)) await answered(client.query('ROLLBACK'));
          throw error;
        }
      }),
    openSession: (session) => openSession(settings, session),
    pool: () => ({ open: pool.totalCount, busy: pool.totalCount - pool.idleCount, waiting: pool.waitingCount }),
    close() {
      closing ??= pool.end();
      return closing;
    },
  };
}

const limits: ClientConfig = {
  statement_timeout: statementTimeout,
  query_timeout: answerTimeout,
  idle_in_transaction_session_timeout: idleTransactionTimeout,
};

function clientSettings(address: PostgresAddress): ClientConfig {
  const { host, port, database, user, password } = address;
  return {
    host,
    port,
    database,
    user,
    ...(password !== undefined && { password }),
    ssl: tlsOptions(address),
    application_name: 'colophon',
    connectionTimeoutMillis: connectTimeout,
    keepAlive: true,
  };
}

/** BIGINT comes as text, since it may be larger than a number can hold; ours are moments and counts. */
const readNumbers = (client: ClientBase): void => client.setTypeParser(20, Number);

async function openSession(settings: ClientConfig, { limited, onEnd }: SessionOptions): Promise<Session> {
  const socket = new Socket();
  const client = new Client({ ...settings, ...(limited && limits), stream: () => socket });
  let live = true;
  const end = (): void => {
    if (live) onEnd?.();
    live = false;
  };
  client.on('error', end);
  client.on('end', end);
  try {
    await client.connect();
  } catch (error) {
    live = false;
    void client.end().catch(() => {});
    throw error;
  }
  readNumbers(client);
  let last: Promise<unknown> = Promise.resolve();
  /** One statement at a time: who shares a session need not know of each other. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = last.then(work, work);
    last = turn;
    return turn;
  };
  const queries = queriesOn(client);
  return {
    get: (...asked) => inTurn(() => queries.get(...asked)),
    all: (...asked) => inTurn(() => queries.all(...asked)),
    run: (...asked) => inTurn(() => queries.run(...asked)),
    async script(sql) {
      await inTurn(() => answered(client.query(sql)));
    },
    close() {
      live = false;
      // Whether the server hears of it is not waited for.
      void client.end().catch(() => {});
      socket.unref();
    },
  };
}

function queriesOn(client: ClientBase): Queries {
  const ask = ({ name, text }: Statement, values: Value[]): Promise<QueryResult<Row>> =>
    answered(client.query<Row>({ name, text, values: values.map(storable) }));
  return {
    get: async (asked, ...values) => (await ask(asked, values)).rows[0],
    all: async (asked, ...values) => (await ask(asked, values)).rows,
    run: async (asked, ...values) => (await ask(asked, values)).rowCount ?? 0,
  };
}

/** What the driver promises, with its outages as `upstream_unavailable`. */
async function answered<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    throw isOutage(error) ? storeDown(error) : error;
  }
}

/** PostgreSQL's text has no U+0000; what has one is stored with the replacement character, and finds nothing. */
const storable = (value: Value): Value => (typeof value === 'string' ? value.replaceAll('\0', '\ufffd') : value);

/**
 * Whether the database is out of order, and not the statement: everything that is no answer of the server, and every
 * answer (SQLSTATE, postgresql.org/docs/current/errcodes-appendix.html) that is about neither data nor syntax.
 */
function isOutage(error: unknown): boolean {
  if (!(error instanceof DatabaseError)) return true;
  const code = error.code ?? '';
  return ['42501', '42P01', '3F000'].includes(code) || !/^(?:0A|2[1-3]|42)/.test(code);
}
