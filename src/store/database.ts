/** The interface of a database engine. The store’s statements are written once; a driver for each engine runs them. */
import { ApiError } from '../base/api-error.ts';

/** A row as the driver of either engine returns it: the values by column, with NULL as null. */
export type Row = Readonly<Record<string, unknown>>;

/** A parameter of a statement. */
export type Value = string | number | Uint8Array | null;

/**
 * Statements on one database. Parameters are written `?1`, `?2` and so on. Row locks (`FOR UPDATE` and the like) are
 * written for PostgreSQL; SQLite has one writer and ignores them.
 */
export interface Queries {
  /** Returns the first row, or undefined if there is none. */
  get(sql: string, ...values: Value[]): Promise<Row | undefined>;
  /** Returns all rows. */
  all(sql: string, ...values: Value[]): Promise<Row[]>;
  /** Returns how many rows were inserted, changed or deleted. */
  run(sql: string, ...values: Value[]): Promise<number>;
  /** Runs several statements without parameters. */
  script(sql: string): Promise<void>;
}

/** Numbers of the connections of a pool; `open` includes the busy ones. */
export interface PoolState {
  readonly open: number;
  readonly busy: number;
  /** Statements that wait for a connection. */
  readonly waiting: number;
}

/**
 * A database. Statements reject with the ApiError `upstream_unavailable` when the database cannot be used, and with the driver's
 * error when they are at fault themselves.
 */
export interface Database extends Queries {
  /**
   * Runs `work` in a transaction at READ COMMITTED or stricter, and returns its result: a row that must not change in between is
   * locked first. An error rolls back and is passed on; a result for which `shouldCommit` returns false rolls back and is returned.
   * `work` uses only its `queries`: other statements may wait until the transaction has ended.
   */
  transaction<T>(work: (queries: Queries) => Promise<T>, shouldCommit?: (result: T) => boolean): Promise<T>;
  /**
   * Returns why the database cannot be written, or null if it can. After a write that failed for want of space or rights, each call
   * attempts `write`, so that the problem is over as soon as there is space again; any other error of `write` is passed on.
   */
  findWriteProblem(write: () => Promise<void>): Promise<string | null>;
  /** Returns the state of the pool, or null if there is only one connection. */
  pool(): PoolState | null;
  close(): Promise<void>;
}

/** The statements of one connection, which is lent to one caller at a time. */
export interface Session extends Queries {
  /** Ends the transaction in progress after `error`, which may have closed the connection. Rejects if rolling back fails. */
  rollBack(error: unknown): Promise<void>;
}

/**
 * Creates the functions that run statements and transactions, each on a session of its own that `lend` provides. `begin` is the SQL
 * that starts a transaction.
 */
export function createQueries(
  lend: <T>(work: (session: Session) => Promise<T>) => Promise<T>,
  begin: string,
): Pick<Database, keyof Queries | 'transaction'> {
  return {
    get: (...statement) => lend((session) => session.get(...statement)),
    all: (...statement) => lend((session) => session.all(...statement)),
    run: (...statement) => lend((session) => session.run(...statement)),
    script: (sql) => lend((session) => session.script(sql)),
    transaction: (work, shouldCommit = () => true) =>
      lend(async (session) => {
        await session.script(begin);
        try {
          const result = await work(session);
          await session.script(shouldCommit(result) ? 'COMMIT' : 'ROLLBACK');
          return result;
        } catch (error) {
          await session.rollBack(error);
          throw error;
        }
      }),
  };
}

/** Returns the ApiError `upstream_unavailable`, which callers of the API get while the store cannot be used. The cause is only logged. */
export const storeDown = (cause: unknown): ApiError =>
  new ApiError('upstream_unavailable', 'The credential store cannot be used right now. Try again shortly.', {
    retryAfter: 5,
    cause,
  });

/** The error with which a store refuses to open. The message names the fix for the operator; the process should end with it. */
export class StoreUnusable extends Error {
  override name = 'StoreUnusable';
}
