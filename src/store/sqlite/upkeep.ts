/** Commands of the operator on the SQLite store: list its clients, back it up, restore a backup. */
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { getMessage } from '../../base/thrown.ts';
import { type Client, listClients } from '../clients.ts';
import { StoreUnusable } from '../database.ts';
import { findPendingVersions } from '../schema.ts';
import { createStartError, openSqliteDatabase } from './driver.ts';
import { createPrivate, makeAllPrivate } from './private-file.ts';
import { getDatabaseFile, lockFolder } from './store.ts';

/**
 * Lists all clients of a data folder's database, newest first, revoked ones included. A server may be running.
 * @throws StoreUnusable if there is no database, or one that this release cannot use.
 */
export async function listSqliteClients(directory: string): Promise<Client[]> {
  const file = getDatabaseFile(directory);
  requireFile(file);
  const database = openSqliteDatabase(file);
  try {
    await findPendingVersions(database, 'sqlite');
    return await listClients(database);
  } catch (error) {
    throw createStartError(file, error);
  } finally {
    await database.close();
  }
}

/**
 * Writes a self-contained copy of a data folder's database to the file `copy` and checks it. A server may be running. Never
 * overwrites a file.
 * @throws StoreUnusable if the file exists or cannot be written, or there is no intact database
 */
export function backUp(directory: string, copy: string): void {
  if (existsSync(copy)) throw new StoreUnusable(`${copy} already exists. Name another file.`);
  copyDatabase(getDatabaseFile(directory), copy);
  requireIntact(copy);
}

/**
 * Copies a database to a new file, which nobody else can read at any moment.
 * @throws StoreUnusable if the new file exists already or the copying fails, which leaves no new file
 */
function copyDatabase(from: string, to: string): void {
  read(from, (database) => {
    // VACUUM INTO fills an existing empty file and keeps its mode, so the file is created with a private mode first.
    createPrivate(to);
    try {
      database.prepare('VACUUM INTO ?').run(to);
    } catch (error) {
      rmSync(to, { force: true });
      throw error;
    }
  });
}

/**
 * Puts a copy of the backup `copy` in the place of the database of the data folder, which is created if it is missing, and keeps
 * the old database next to it with `now` in its name.
 * @returns The path of the old database, or null if there was none.
 * @throws StoreUnusable, with nothing changed, if a server runs, or if the backup is missing, damaged or no database.
 */
export function restore(directory: string, copy: string, now: number): string | null {
  if (!existsSync(copy)) throw new StoreUnusable(`There is no file ${copy}. Name one that \`colophon backup\` wrote.`);
  requireIntact(copy);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const unlock = lockFolder(path.join(directory, 'colophon.lock'));
  try {
    const file = getDatabaseFile(directory);
    const incoming = `${file}.restoring`;
    rmSync(incoming, { force: true });
    copyDatabase(copy, incoming);
    const old = existsSync(file) ? `${file}.before-${now}` : null;
    if (old !== null) {
      // The write-ahead log belongs to the old database: closing its last connection moves the content of the log into its file.
      new DatabaseSync(file).close();
      renameSync(file, old);
      makeAllPrivate([old]);
    }
    for (const suffix of ['-wal', '-shm']) rmSync(file + suffix, { force: true });
    renameSync(incoming, file);
    return old;
  } finally {
    unlock();
  }
}

function requireIntact(file: string): void {
  read(file, (database) => {
    const verdict = database.prepare('PRAGMA integrity_check(1)').get()?.integrity_check;
    if (verdict !== 'ok') throw new Error(String(verdict));
    if (database.prepare('SELECT version FROM schema_migrations').all().length === 0) throw new Error('it is empty');
  });
}

/**
 * Checks that the file of a database exists, and nothing else about it.
 * @throws StoreUnusable if it does not
 */
export function requireFile(file: string): void {
  if (existsSync(file)) return;
  throw new StoreUnusable(`There is no database ${file}. A server creates it in DATA_DIR when it first starts.`);
}

function read<T>(file: string, work: (database: DatabaseSync) => T): T {
  requireFile(file);
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file, { timeout: 5000 });
    return work(database);
  } catch (error) {
    throw new StoreUnusable(`${file} cannot be used (${getMessage(error)}).`, { cause: error });
  } finally {
    database?.close();
  }
}
