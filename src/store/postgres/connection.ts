/** A bounded pool of connections to PostgreSQL, with transactions and time limits. */
import { type ClientBase, type ClientConfig, Pool } from 'pg';
import { ApiError } from '../../base/api-error.ts';
import type { Log } from '../../base/log.ts';
import { type PostgresAddress, tlsOptions } from './address.ts';
import { answered, type Queries, queriesOn, readNumbers } from './queries.ts';
import { openSession, type Session } from './session.ts';

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
    openSession: ({ limited, onEnd }) => openSession(limited ? { ...settings, ...limits } : settings, onEnd),
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
