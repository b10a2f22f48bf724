/** A bounded pool of connections to PostgreSQL, with transactions and time limits. */
import { type ClientBase, type ClientConfig, Pool } from 'pg';
import { ApiError } from '../../base/api-error.ts';
import type { Log } from '../../base/log.ts';
import { createWriteHealth, type WriteHealth } from '../write-health.ts';
import { type PostgresAddress, tlsOptions } from './address.ts';
import type { Pooling } from './pooling.ts';
import { answered, isWriteFailure, type Queries, queriesOn, readNumbers } from './queries.ts';
import { openSession, type Session } from './session.ts';

export interface PostgresConnection extends Queries {
  readonly pooling: Pooling;
  readonly writeHealth: WriteHealth;
  /**
   * All of `work` or nothing of it, at READ COMMITTED: each statement sees what was committed before it began, so a row
   * that must not change in between is locked first. Throwing rolls back, and so does a result that `keep` refuses.
   */
  transaction<T>(work: (queries: Queries) => Promise<T>, keep?: (result: T) => boolean): Promise<T>;
  /**
   * A connection outside the pool, for what lives as long as a session does. `onEnd` is called once when it is lost.
   * Rejects with the driver's own error when it cannot connect.
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

export interface PostgresConnectionOptions {
  readonly address: PostgresAddress;
  readonly log: Log;
  readonly pooling: Pooling;
  /** Connections at most; 10 unless told. */
  readonly size?: number;
  /** Milliseconds until the server gives a statement up. */
  readonly statementMs?: number;
  /** Milliseconds for a new connection, and for a turn in the pool. */
  readonly connectMs?: number;
}

const usualMs = 2000;
/** The client waits this much longer for a statement: for when the server or the network does not answer. */
const answerMs = 1000;
/** A transaction whose process fell silent gives its locks back. */
const idleTransactionMs = 5000;

/** Connects when it is first asked. */
export function createPostgresConnection(options: PostgresConnectionOptions): PostgresConnection {
  const { address, log, pooling, size = 10, statementMs = usualMs, connectMs = usualMs } = options;
  const settings = clientSettings(address, connectMs);
  const limits = limitsOf(pooling, statementMs);
  const named = pooling !== 'transaction';
  const writeHealth = createWriteHealth(isWriteFailure);
  // Idle connections keep no process alive that has closed everything else.
  const pool = new Pool({ ...settings, ...limits.client, max: size, idleTimeoutMillis: 30_000, allowExitOnIdle: true });
  pool.on('connect', (client) => {
    readNumbers(client);
    // A server that is ending may say so together with its greeting, before whoever waits for the connection listens to it.
    client.on('error', () => {});
    // Goes ahead of whatever the connection was opened for, which fails with it.
    if (limits.setUp !== null) client.query(limits.setUp).catch(() => {});
  });
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
      writeHealth.record(error);
      if (error instanceof ApiError) broken ??= error;
      throw error;
    } finally {
      client.off('error', onError);
      client.release(broken);
    }
  }

  let closing: Promise<void> | null = null;
  return {
    pooling,
    writeHealth,
    get: (...asked) => withClient((client) => queriesOn(client, named).get(...asked)),
    all: (...asked) => withClient((client) => queriesOn(client, named).all(...asked)),
    run: (...asked) => withClient((client) => queriesOn(client, named).run(...asked)),
    transaction: (work, keep = () => true) =>
      withClient(async (client) => {
        await answered(client.query(limits.begin));
        try {
          const result = await work(queriesOn(client, named));
          await answered(client.query(keep(result) ? 'COMMIT' : 'ROLLBACK'));
          return result;
        } catch (error) {
          if (!(error instanceof ApiError)) await answered(client.query('ROLLBACK'));
          throw error;
        }
      }),
    openSession: ({ limited, onEnd }) =>
      openSession({
        client: limited ? { ...settings, ...limits.client } : settings,
        setUp: limited ? limits.setUp : null,
        named,
        onEnd,
      }),
    pool: () => ({ open: pool.totalCount, busy: pool.totalCount - pool.idleCount, waiting: pool.waitingCount }),
    close() {
      closing ??= pool.end();
      return closing;
    },
  };
}

/**
 * How the server is told its limits: at the start of a connection, or once it is there, or with each transaction. Single
 * statements through a pooler in transaction mode have those of the database's role.
 */
function limitsOf(
  pooling: Pooling,
  statementMs: number,
): { client: ClientConfig; setUp: string | null; begin: string } {
  const client = { query_timeout: statementMs + answerMs };
  const set = (how: 'SET' | 'SET LOCAL') =>
    `${how} statement_timeout = ${statementMs}; ${how} idle_in_transaction_session_timeout = ${idleTransactionMs}`;
  switch (pooling) {
    case 'none':
      return {
        client: { ...client, statement_timeout: statementMs, idle_in_transaction_session_timeout: idleTransactionMs },
        setUp: null,
        begin: 'BEGIN',
      };
    case 'session':
      return { client, setUp: set('SET'), begin: 'BEGIN' };
    case 'transaction':
      return { client, setUp: null, begin: `BEGIN; ${set('SET LOCAL')}` };
  }
}

export function clientSettings(address: PostgresAddress, connectMs = usualMs): ClientConfig {
  const { host, port, database, user, password } = address;
  return {
    host,
    port,
    database,
    user,
    ...(password !== undefined && { password }),
    ssl: tlsOptions(address),
    application_name: 'colophon',
    connectionTimeoutMillis: connectMs,
    keepAlive: true,
  };
}
