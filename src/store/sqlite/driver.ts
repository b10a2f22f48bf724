/** Runs the store's statements on one SQLite file, and describes its errors in the service's own terms. */
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { ApiError } from '../../base/api-error.ts';
import { getMessage } from '../../base/thrown.ts';
import { createQueries, type Database, type Session, StoreUnusable, storeDown } from '../database.ts';
import { createWriteHealth } from '../write-health.ts';
import { keepPrivate, makeAllPrivate } from './private-file.ts';

/**
 * Opens the file and creates it if it is not there.
 * @throws StoreUnusable if it cannot be opened or is not an intact database.
 */
export function openSqliteDatabase(file: string): Database {
  const connection = openIntact(file);
  const writeHealth = createWriteHealth((error) => writeFailures.has(getResultCode(error) ?? 0));
  const attempt = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      writeHealth.record(error);
      throw isOutage(error) ? storeDown(error) : error;
    }
  };
  const prepare = createStatementCache(connection);
  const session: Session = {
    get: async (sql, ...values) => attempt(() => prepare(sql).get(...values)),
    all: async (sql, ...values) => attempt(() => prepare(sql).all(...values)),
    run: async (sql, ...values) => attempt(() => Number(prepare(sql).run(...values).changes)),
    script: async (sql) => attempt(() => connection.exec(sql)),
    async rollBack() {
      if (connection.isOpen && connection.isTransaction) connection.exec('ROLLBACK');
    },
  };

  /** Settles after the transaction in progress; other statements wait, because they would become a part of that transaction. */
  let last: Promise<unknown> = Promise.resolve();
  const runInTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = last.then(work, work);
    last = turn;
    return turn;
  };

  return {
    ...createQueries((work) => runInTurn(() => work(session)), 'BEGIN IMMEDIATE'),
    findWriteProblem: writeHealth.check,
    pool: () => null,
    close: () =>
      runInTurn(async () => {
        if (connection.isOpen) connection.close();
      }),
  };
}

/**
 * Creates a function that prepares each statement once, without row locks (`rowLocks`). Statements are constants of the store, so
 * the cache stays small.
 */
function createStatementCache(connection: DatabaseSync): (sql: string) => StatementSync {
  const statements = new Map<string, StatementSync>();
  return (sql) => {
    const cachedStatement = statements.get(sql);
    if (cachedStatement !== undefined) return cachedStatement;
    const statement = connection.prepare(sql.replace(rowLocks, ''));
    statements.set(sql, statement);
    return statement;
  };
}

/** SQLite has no row locks: a transaction locks the file. */
const rowLocks = /\bFOR (?:NO KEY )?(?:UPDATE|SHARE)(?: SKIP LOCKED)?\b/;

/** synchronous FULL: a commit that was acknowledged is on the disk, so that a revocation outlives a power failure. */
const settings = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA foreign_keys = ON;
  PRAGMA trusted_schema = OFF;
`;

function openIntact(file: string): DatabaseSync {
  let connection: DatabaseSync | undefined;
  try {
    keepPrivate(file);
    makeAllPrivate([`${file}-wal`, `${file}-shm`]);
    connection = new DatabaseSync(file, { timeout: 2000, defensive: true });
    connection.exec(settings);
    const verdict = connection.prepare('PRAGMA quick_check(1)').get()?.quick_check;
    if (verdict === 'ok') return connection;
    throw createDamageError(file, String(verdict).split('\n').at(-1) ?? '');
  } catch (error) {
    connection?.close();
    throw createStartError(file, error);
  }
}

/** Returns the error that ends a start, with the fix, for an error of the database `file`; a StoreUnusable is returned as it is. */
export function createStartError(file: string, thrown: unknown): StoreUnusable {
  if (thrown instanceof StoreUnusable) return thrown;
  const error = thrown instanceof ApiError ? thrown.options.cause : thrown;
  if (damages.has(getResultCode(error) ?? 0)) return createDamageError(file, getMessage(error), error);
  return new StoreUnusable(
    `The database ${file} cannot be opened (${getMessage(error)}). Check that DATA_DIR can be made and written and has free space.`,
    { cause: error },
  );
}

/** Returns the error that ends a start on a damaged database, with the fix. */
export const createDamageError = (file: string, reason: string, cause?: unknown): StoreUnusable =>
  new StoreUnusable(
    `The database ${file} is damaged (${reason}). Restore it from a backup, together with no -wal or -shm file of the damaged one; ` +
      'or move it away to start empty: every client then has to register again.',
    { cause },
  );

/*
 * SQLite's primary result codes (sqlite.org/rescode.html) that mean the database is out of order, not the statement:
 * busy, locked, out of memory, read-only, input or output failed, damaged, full, cannot be opened, not a database.
 */
const outages: ReadonlySet<number> = new Set([5, 6, 7, 8, 10, 11, 13, 14, 26]);
const damages: ReadonlySet<number> = new Set([11, 26]);
const writeFailures: ReadonlySet<number> = new Set([8, 10, 13]);

/**
 * Returns whether an error means that the database cannot be used now, and not that the statement is wrong. A closed one counts,
 * too: requests may still arrive while the process ends.
 */
function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ('code' in error && error.code === 'ERR_INVALID_STATE') return true;
  return outages.has(getResultCode(error) ?? 0);
}

/** Returns the primary result code of an error of SQLite, which is the low byte of the extended one, or undefined for other errors. */
export function getResultCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error)) return undefined;
  return typeof error.errcode === 'number' ? error.errcode & 0xff : undefined;
}
