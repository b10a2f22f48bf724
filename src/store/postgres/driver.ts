/** Runs the store's statements on a bounded pool of connections to PostgreSQL, each with a time limit. */
import { type ClientBase, DatabaseError, Pool, type PoolClient } from 'pg';
import { ApiError } from '../../base/api-error.ts';
import type { Log } from '../../base/log.ts';
import { createQueries, type Database, type Row, type Session, storeDown, type Value } from '../database.ts';
import { createWriteHealth } from '../write-health.ts';
import type { PostgresAddress } from './address.ts';

/** Options of a pool of connections. */
export interface PostgresDriverOptions {
  readonly address: PostgresAddress;
  readonly log: Log;
  /** Maximum number of connections. */
  readonly size: number;
  /** Whether statements have a time limit. @defaultValue true */
  readonly isLimited?: boolean;
  /** Returns why no statement may run yet, or null if all may. @defaultValue none */
  findProblem?(): Error | null;
}

/** Limit for a new connection and for a turn in the pool, in milliseconds. */
const connectMs = 2000;
/** Limit for a statement in a transaction, in milliseconds. */
const statementMs = 2000;
/** Limit of the client for a statement, in milliseconds: for when the server or the network is silent. */
const responseMs = 3000;
/** A transaction whose process has been silent for this long, in milliseconds, is rolled back. */
const idleTransactionMs = 5000;

/**
 * Creates a pool that connects when it is first used. Every pooler in between can lend its connections by transaction:
 * statements have no names, and settings last as long as a transaction.
 */
export function openPostgresDatabase(options: PostgresDriverOptions): Database {
  const { address, log, size, isLimited = true, findProblem = () => null } = options;
  const writeHealth = createWriteHealth(isWriteFailure);
  const pool = new Pool({
    ...address,
    application_name: 'colophon',
    connectionTimeoutMillis: connectMs,
    keepAlive: true,
    ...(isLimited && { query_timeout: responseMs }),
    max: size,
    idleTimeoutMillis: 30_000,
    // An idle connection does not keep a process alive that has closed everything else.
    allowExitOnIdle: true,
  });
  let isLossLogged = false;
  const limits = `SET LOCAL statement_timeout = ${statementMs}; SET LOCAL idle_in_transaction_session_timeout = ${idleTransactionMs}`;
  pool.on('connect', (client) => {
    isLossLogged = false;
    // pg returns a BIGINT as text, because it can exceed a number; the store's values, times and counts, do not.
    client.setTypeParser(20, Number);
    // A server that is shutting down may send an error with its greeting, before the caller listens to the connection.
    client.on('error', () => {});
  });
  // Log only the message: pg attaches the client, including its password, to the error object.
  pool.on('error', ({ message }) => {
    if (!isLossLogged)
      log.warn({ event: 'store.connection_lost', problem: message }, 'idle connections to the database were lost');
    isLossLogged = true;
  });
  pool.on('remove', () => {
    pool.options.max = size;
  });

  const inProgress = new Set<Promise<unknown>>();
  const lend = <T>(work: (session: Session) => Promise<T>): Promise<T> => {
    const result = useClient(work).finally(() => inProgress.delete(result));
    inProgress.add(result);
    return result;
  };

  /**
   * Takes a connection of the pool. If the server allows no further one (SQLSTATE 53300), it waits for one of those that the pool
   * has. Rejects with the driver's error if the pool has none, and for any other error.
   */
  async function connect(): Promise<PoolClient> {
    try {
      return await pool.connect();
    } catch (error) {
      if (!(error instanceof DatabaseError && error.code === '53300') || pool.totalCount === 0) throw error;
      pool.options.max = pool.totalCount;
      return connect();
    }
  }

  /**
   * Runs `work` with a connection of the pool and returns its result. After an outage the connection is closed, because its state
   * is unknown. Rejects with `upstream_unavailable` while the database is down.
   */
  async function useClient<T>(work: (session: Session) => Promise<T>): Promise<T> {
    const problem = findProblem();
    if (problem !== null) throw storeDown(problem);
    const client = await mapErrors(connect());
    let isUnknown = false;
    try {
      return await work(createSession(client));
    } catch (error) {
      writeHealth.record(error);
      isUnknown = error instanceof ApiError;
      throw error;
    } finally {
      client.release(isUnknown);
    }
  }

  let closing: Promise<void> | null = null;
  const database: Database = {
    ...createQueries(lend, isLimited ? `BEGIN; ${limits}` : 'BEGIN'),
    async findWriteProblem(write) {
      const isReadOnly = (await database.get(readOnlyState))?.is_read_only === true;
      return isReadOnly ? 'the database is read-only' : writeHealth.check(write);
    },
    pool: () => ({ open: pool.totalCount, busy: pool.totalCount - pool.idleCount, waiting: pool.waitingCount }),
    close() {
      // The pool ends after all statements, because it would drop those that still wait for a connection.
      closing ??= Promise.allSettled(inProgress).then(() => pool.end());
      return closing;
    },
  };
  return database;
}

/** A failover that ends on a replica, or an operator, leaves a database that serves every read. */
const readOnlyState = "SELECT pg_is_in_recovery() OR current_setting('transaction_read_only') = 'on' AS is_read_only";

function createSession(client: ClientBase): Session {
  const query = (sql: string, values: readonly Value[]) =>
    mapErrors(client.query<Row>(toPostgres(sql), values.map(toStorable)));
  return {
    get: async (sql, ...values) => (await query(sql, values)).rows[0],
    all: async (sql, ...values) => (await query(sql, values)).rows,
    run: async (sql, ...values) => (await query(sql, values)).rowCount ?? 0,
    async script(sql) {
      await mapErrors(client.query(sql));
    },
    async rollBack(error) {
      // An ApiError is an outage, after which the connection is closed and the server rolls back by itself.
      if (!(error instanceof ApiError)) await mapErrors(client.query('ROLLBACK'));
    },
  };
}

/** Writes the parameters `?1` of a statement as PostgreSQL has them, `$1`. */
const toPostgres = (sql: string): string => sql.replace(/\?(\d)/g, '$$$1');

/** Returns a value as PostgreSQL can store it: its text has no U+0000. A value with one has U+FFFD in its place, and finds nothing. */
const toStorable = (value: Value): Value => (typeof value === 'string' ? value.replaceAll('\0', '\ufffd') : value);

/** Resolves or rejects as the driver does, with outages as the ApiError `upstream_unavailable`. */
async function mapErrors<T>(result: Promise<T>): Promise<T> {
  try {
    return await result;
  } catch (error) {
    throw isOutage(error) ? storeDown(error) : error;
  }
}

/**
 * Returns whether the database is out of order, and not the statement: no response from the server, or a response
 * (SQLSTATE, postgresql.org/docs/current/errcodes-appendix.html) that is about neither data nor syntax. A table, a schema or a
 * right that is missing counts as out of order, too.
 */
function isOutage(error: unknown): boolean {
  if (!(error instanceof DatabaseError)) return true;
  const code = error.code ?? '';
  return ['42501', '42P01', '3F000'].includes(code) || !/^(?:0A|2[1-3]|42)/.test(code);
}

/** Returns whether the SQLSTATE says that the database cannot be written: no space, a disk error, read-only. */
const isWriteFailure = (error: unknown): boolean =>
  error instanceof DatabaseError && /^(?:53100|58|25006)/.test(error.code ?? '');
