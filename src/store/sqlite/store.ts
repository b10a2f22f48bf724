/** Opens the store in one SQLite file, for one process: the folder, its lock, the schema. */
import { existsSync, mkdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { getMessage } from '../../base/thrown.ts';
import { type Database, StoreUnusable } from '../database.ts';
import { migrate } from '../schema.ts';
import { createStore, type Store } from '../store.ts';
import { createDamageError, createStartError, getResultCode, openSqliteDatabase } from './driver.ts';
import { keepPrivate } from './private-file.ts';

interface SqliteStoreOptions {
  /** DATA_DIR; created if it is not there. */
  readonly directory: string;
  /** When the schema is made, in milliseconds since 1970. */
  readonly now: number;
  /** Whether a server has used the folder before: then an empty database file is damage, not new. @defaultValue false */
  readonly isUsed?: boolean;
}

/**
 * Opens `colophon.sqlite` in the folder, both created if missing, locks the folder, makes the schema and releases the leases of
 * the process before. `now` is in milliseconds since 1970; `isUsed` says that a server used the folder before, so that an empty
 * file counts as damaged.
 * @throws StoreUnusable, with the fix, if another process uses it, it cannot be created or opened, it is damaged, or an unreleased
 * version or a newer release made it.
 */
export async function openSqliteStore({ directory, now, isUsed = false }: SqliteStoreOptions): Promise<Store> {
  const file = getDatabaseFile(directory);
  let unlock = (): void => {};
  let database: Database | undefined;
  const close = async (): Promise<void> => {
    await database?.close();
    unlock();
  };
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    unlock = lockFolder(path.join(directory, 'colophon.lock'));
    if (isUsed && existsSync(file) && statSync(file).size === 0) throw createDamageError(file, 'it is empty');
    database = openSqliteDatabase(file);
    await database.transaction((queries) => migrate(queries, 'sqlite', now));
    // The lock on the folder proves that a process that had a lease has ended, so its jobs can be claimed at once.
    await database.run("UPDATE jobs SET lease_until = 0 WHERE status = 'running'");
    return { ...createStore(database), close };
  } catch (error) {
    await close();
    throw createStartError(file, error);
  }
}

/** Returns the path of the database in a data folder. */
export const getDatabaseFile = (directory: string): string => path.join(directory, 'colophon.sqlite');

/**
 * Locks a data folder for this process by the lock file in it, and returns the function that unlocks it. Two writing processes
 * would starve each other, and leases could not be released at start. The lock is a transaction on a separate database: the
 * operating system ends it with the process.
 * @throws StoreUnusable if another process has the lock, or the lock file cannot be used.
 */
export function lockFolder(file: string): () => void {
  let database: DatabaseSync | undefined;
  try {
    keepPrivate(file);
    database = new DatabaseSync(file, { timeout: 0 });
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database?.close();
    const busy = getResultCode(error) === 5;
    throw new StoreUnusable(
      busy
        ? `Another process is using the data folder ${path.dirname(file)}. Stop it, give this one another DATA_DIR, or use PostgreSQL (DATABASE_URL) for several processes.`
        : `The lock file ${file} cannot be used (${getMessage(error)}). Check that the data folder is writable and on a local disk.`,
      { cause: error },
    );
  }
  const lockedDatabase = database;
  return () => {
    if (lockedDatabase.isOpen) lockedDatabase.close();
  };
}
