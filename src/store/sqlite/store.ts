/** The store in one SQLite file, for one process: opening, locking and migrating it. */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { messageOf } from '../../base/thrown.ts';
import { type Store, StoreUnusable } from '../store.ts';
import { createSqliteClients } from './clients.ts';
import { openConnection, resultCode, unusable } from './connection.ts';
import { createSqliteConsent } from './consent.ts';
import { createSqliteIdempotency } from './idempotency.ts';
import { createSqliteJobs } from './jobs.ts';
import { migrateSqlite } from './migrate.ts';
import { keepPrivate } from './private-file.ts';
import { createSqliteStats } from './stats.ts';
import { createSqliteSweep } from './sweep.ts';
import { createSqliteTokens } from './tokens.ts';

export interface SqliteStoreOptions {
  /** DATA_DIR; created when it is not there. */
  directory: string;
  /** Milliseconds since 1970; recorded with the migrations that this start applies. */
  now: number;
}

/**
 * Opens `colophon.sqlite` in the folder, brings its schema up to date and frees the jobs of the process before.
 * Throws StoreUnusable, with the fix, when another process has it, when it is damaged, or when it is newer than the code.
 */
export async function openSqliteStore(options: SqliteStoreOptions): Promise<Store> {
  const { directory, now } = options;
  makeDirectory(directory);
  const unlock = lock(path.join(directory, 'colophon.lock'));
  try {
    const file = path.join(directory, 'colophon.sqlite');
    const connection = openConnection(file);
    try {
      migrateSqlite(connection, now);
      // The lock proves that whoever held a lease is gone.
      connection.run("UPDATE jobs SET lease_until = 0 WHERE status = 'running'");
    } catch (error) {
      connection.close();
      throw unusable(file, error);
    }
    let open = true;
    return {
      ...createSqliteClients(connection),
      ...createSqliteTokens(connection),
      ...createSqliteConsent(connection),
      ...createSqliteJobs(connection),
      ...createSqliteIdempotency(connection),
      ...createSqliteSweep(connection),
      ...createSqliteStats(connection),
      async close() {
        if (!open) return;
        open = false;
        connection.close();
        unlock();
      },
    };
  } catch (error) {
    unlock();
    throw error;
  }
}

function makeDirectory(directory: string): void {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new StoreUnusable(
      `The data folder ${directory} cannot be made (${messageOf(error)}). Choose another with DATA_DIR.`,
      { cause: error },
    );
  }
}

/**
 * Two writing processes starve each other, and leases could not be freed at start. The lock is a transaction on a
 * separate database: the operating system drops it the moment the process ends, however it ends.
 */
export function lock(file: string): () => void {
  let database: DatabaseSync | undefined;
  try {
    keepPrivate(file);
    database = new DatabaseSync(file, { timeout: 0 });
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database?.close();
    const busy = resultCode(error) === 5;
    throw new StoreUnusable(
      busy
        ? `Another process is using the data folder ${path.dirname(file)}. Stop it, give this one another DATA_DIR, or use PostgreSQL (DATABASE_URL) for several processes.`
        : `The lock file ${file} cannot be used (${messageOf(error)}). Check that the data folder is writable and on a local disk.`,
      { cause: error },
    );
  }
  const held = database;
  return () => held.close();
}
