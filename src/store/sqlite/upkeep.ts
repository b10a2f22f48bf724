/** What an operator does to the SQLite store from outside the server: list its clients, back it up, put a backup back. */
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { messageOf } from '../../base/thrown.ts';
import { toListedClient } from '../rows.ts';
import { type ListedClient, StoreUnusable } from '../store.ts';
import { closeToOthers, copyPrivately, createPrivate } from './private-file.ts';
import { lock } from './store.ts';

const fileOf = (directory: string): string => path.join(directory, 'colophon.sqlite');

/** Newest first, revoked ones included. A server may be running. Throws StoreUnusable where there is no database. */
export function listClients(directory: string): ListedClient[] {
  return reading(fileOf(directory), (database) =>
    database.prepare('SELECT * FROM clients ORDER BY issued_at DESC, id').all().map(toListedClient),
  );
}

/** Writes a copy that is complete in itself and sound. A server may be running. Throws StoreUnusable; never overwrites. */
export function backUp(directory: string, copy: string): void {
  if (existsSync(copy)) throw new StoreUnusable(`${copy} is there already. Name another file.`);
  reading(fileOf(directory), (database) => {
    // SQLite fills an empty file, whose mode stays.
    createPrivate(copy);
    try {
      database.prepare('VACUUM INTO ?').run(copy);
    } catch (error) {
      rmSync(copy, { force: true });
      throw error;
    }
  });
  requireSound(copy);
}

/**
 * Puts a backup in the database's place, and keeps the one that was there next to it. Throws StoreUnusable, with nothing
 * changed, when a server runs, or when the backup is damaged or is none. Gives where the old database is, or null.
 */
export function restore(directory: string, copy: string, now: number): string | null {
  requireSound(copy);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const unlock = lock(path.join(directory, 'colophon.lock'));
  try {
    const file = fileOf(directory);
    const incoming = `${file}.restoring`;
    copyPrivately(copy, incoming);
    const kept = existsSync(file) ? `${file}.before-${now}` : null;
    if (kept !== null) {
      // What the journal holds belongs to the old database: closing the last connection moves it there.
      new DatabaseSync(file).close();
      renameSync(file, kept);
      closeToOthers([kept]);
    }
    for (const suffix of ['-wal', '-shm']) rmSync(file + suffix, { force: true });
    renameSync(incoming, file);
    return kept;
  } finally {
    unlock();
  }
}

function requireSound(file: string): void {
  reading(file, (database) => {
    const verdict = database.prepare('PRAGMA integrity_check(1)').get()?.integrity_check;
    if (verdict !== 'ok') throw new Error(String(verdict));
    if (database.prepare('SELECT version FROM schema_migrations').all().length === 0) throw new Error('it is empty');
  });
}

function reading<T>(file: string, work: (database: DatabaseSync) => T): T {
  if (!existsSync(file)) {
    throw new StoreUnusable(`There is no database ${file}. A server makes it at its first start; DATA_DIR says where.`);
  }
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file, { timeout: 5000 });
    return work(database);
  } catch (error) {
    throw new StoreUnusable(`${file} cannot be used (${messageOf(error)}).`, { cause: error });
  } finally {
    database?.close();
  }
}
