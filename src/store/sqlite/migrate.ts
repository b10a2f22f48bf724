/** Brings a SQLite schema up to date at start, in one transaction. */
import { messageOf } from '../../base/thrown.ts';
import { integer, text } from '../row.ts';
import { findPendingVersions, readSchema, type SchemaVersion } from '../schema.ts';
import { StoreUnusable } from '../store.ts';
import type { Connection } from './connection.ts';

/** Applies what is pending. Throws StoreUnusable when the schema cannot be used or cannot be built. */
export function migrateSqlite(connection: Connection, now: number): void {
  connection.transaction(() => {
    connection.script(recordTable);
    const applied = connection.all('SELECT version, checksum FROM schema_migrations ORDER BY version').map((row) => ({
      version: integer(row, 'version'),
      checksum: text(row, 'checksum'),
    }));
    for (const version of findPendingVersions(readSchema('sqlite'), applied, startEmpty))
      apply(connection, version, now);
  });
}

const startEmpty =
  'Move colophon.sqlite out of DATA_DIR to start on an empty one: every client then has to register again.';

const recordTable = `
  CREATE TABLE IF NOT EXISTS schema_migrations (
    version    INTEGER PRIMARY KEY,
    checksum   TEXT NOT NULL,
    applied_at INTEGER NOT NULL
  ) STRICT`;

function apply(connection: Connection, { version, sql, checksum }: SchemaVersion, now: number): void {
  try {
    connection.script(sql);
  } catch (error) {
    throw new StoreUnusable(
      `Schema version ${version} cannot be made (${messageOf(error)}). The database is as it was before; restore a backup, or report it.`,
      { cause: error },
    );
  }
  connection.run(
    'INSERT INTO schema_migrations (version, checksum, applied_at) VALUES (?, ?, ?)',
    version,
    checksum,
    now,
  );
}
