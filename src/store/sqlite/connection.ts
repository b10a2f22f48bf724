/** One SQLite database file: prepared statements, transactions, and its errors in the service's own terms. */
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { ApiError } from '../../base/api-error.ts';
import { messageOf } from '../../base/thrown.ts';
import { storeDown } from '../outage.ts';
import type { Row } from '../row.ts';
import { StoreUnusable } from '../store.ts';
import { createWriteHealth, type WriteHealth } from '../write-health.ts';
import { closeToOthers, keepPrivate } from './private-file.ts';

export interface Connection {
  get(sql: string, ...values: SQLInputValue[]): Row | undefined;
  /** A SELECT. */
  read(sql: string, ...values: SQLInputValue[]): Row | undefined;
  /** Goes up with all that may change what a SELECT finds, `close` included; but for this process, nobody writes. */
  changes(): number;
  all(sql: string, ...values: SQLInputValue[]): Row[];
  /** How many rows were changed. */
  run(sql: string, ...values: SQLInputValue[]): number;
  /** Several statements without values. */
  script(sql: string): void;
  /** All of `work` or nothing of it. Throwing rolls back, and so does a result that `keep` refuses. */
  transaction<T>(work: () => T, keep?: (result: T) => boolean): T;
  readonly writeHealth: WriteHealth;
  close(): void;
}

/** Opens the file, creating it. Throws StoreUnusable when it is not a sound database. */
export function openConnection(file: string): Connection {
  const database = openSound(file);
  let changes = 0;
  const kept = keepStatements(database);
  const writeHealth = createWriteHealth((error) => writeFailures.has(resultCode(error) ?? 0));
  const guarded = <T>(work: () => T): T => {
    try {
      return mapErrors(work);
    } catch (error) {
      writeHealth.record(error);
      throw error;
    }
  };
  const prepared = (sql: string): StatementSync => {
    changes += 1;
    return kept(sql);
  };

  return {
    writeHealth,
    get: (sql, ...values) => guarded(() => prepared(sql).get(...values)),
    read: (sql, ...values) => guarded(() => kept(sql).get(...values)),
    changes: () => changes,
    all: (sql, ...values) => guarded(() => prepared(sql).all(...values)),
    run: (sql, ...values) => guarded(() => Number(prepared(sql).run(...values).changes)),
    script(sql) {
      changes += 1;
      guarded(() => database.exec(sql));
    },
    transaction: (work, keep = () => true) =>
      guarded(() => {
        changes += 1;
        database.exec('BEGIN IMMEDIATE');
        try {
          const result = work();
          database.exec(keep(result) ? 'COMMIT' : 'ROLLBACK');
          return result;
        } catch (error) {
          if (database.isTransaction) database.exec('ROLLBACK');
          throw error;
        }
      }),
    close() {
      changes += 1;
      database.close();
    },
  };
}

/** `sql` is one of the constants of this folder, so the map stays as small as they are few. */
function keepStatements(database: DatabaseSync): (sql: string) => StatementSync {
  const statements = new Map<string, StatementSync>();
  return (sql) => {
    const known = statements.get(sql);
    if (known !== undefined) return known;
    const statement = database.prepare(sql);
    statements.set(sql, statement);
    return statement;
  };
}

/** synchronous FULL: a commit that was acknowledged is on the disk, so that a revocation outlives a power failure. */
const settings = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA foreign_keys = ON;
  PRAGMA trusted_schema = OFF;
`;

function openSound(file: string): DatabaseSync {
  let database: DatabaseSync | undefined;
  try {
    keepPrivate(file);
    closeToOthers([`${file}-wal`, `${file}-shm`]);
    database = new DatabaseSync(file, { timeout: 2000, defensive: true });
    database.exec(settings);
    const verdict = database.prepare('PRAGMA quick_check(1)').get()?.quick_check;
    if (verdict === 'ok') return database;
    throw damaged(file, String(verdict).split('\n').at(-1) ?? '');
  } catch (error) {
    database?.close();
    throw unusable(file, error);
  }
}

/** Why a start with this file ends, with the fix, from whatever opening or migrating it threw. */
export function unusable(file: string, thrown: unknown): StoreUnusable {
  if (thrown instanceof StoreUnusable) return thrown;
  const error = thrown instanceof ApiError ? thrown.options.cause : thrown;
  const code = resultCode(error);
  if (code === corrupt || code === notADatabase) return damaged(file, messageOf(error), error);
  return new StoreUnusable(
    `The database ${file} cannot be opened (${messageOf(error)}). Check that the folder exists, is writable and has free space.`,
    { cause: error },
  );
}

const damaged = (file: string, why: string, cause?: unknown): StoreUnusable =>
  new StoreUnusable(
    `The database ${file} is damaged (${why}). Restore it from a backup, together with no -wal or -shm file of the damaged one; ` +
      'or move it away to start empty: every client then has to register again.',
    { cause },
  );

/** SQLite's primary result codes (sqlite.org/rescode.html) that mean the database is out of order, not the statement. */
const corrupt = 11;
const notADatabase = 26;
/** Codes of a database that cannot be written: read-only, input or output error, full. */
const writeFailures: ReadonlySet<number> = new Set([8, 10, 13]);
const outages: ReadonlySet<number> = new Set([
  5, // busy
  6, // locked
  7, // out of memory
  8, // read-only
  10, // input or output
  corrupt,
  13, // full
  14, // cannot open
  notADatabase,
]);

function mapErrors<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!isOutage(error)) throw error;
    throw storeDown(error);
  }
}

/** A closed database counts as down: requests may still arrive while the process ends. */
function isOutage(error: unknown): boolean {
  if (error instanceof ApiError || !(error instanceof Error)) return false;
  if ('code' in error && error.code === 'ERR_INVALID_STATE') return true;
  const code = resultCode(error);
  return code !== undefined && outages.has(code);
}

/** The primary code: the low byte of the extended one. */
export function resultCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error)) return undefined;
  return typeof error.errcode === 'number' ? error.errcode & 0xff : undefined;
}
