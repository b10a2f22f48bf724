/** Brings a SQLite schema up to date at start, in one transaction. */
import type { Log } from '../../base/log.ts';
import { messageOf } from '../../base/thrown.ts';
import {
  type AppliedMigration,
  type Migration,
  noteNewerSchema,
  pendingMigrations,
  readMigrations,
} from '../migrate.ts';
import { integer, nullable, text } from '../row.ts';
import { StoreUnusable } from '../store.ts';
import type { Connection } from './connection.ts';

/** Applies what is pending. Throws StoreUnusable when the schema is too new for the code, was changed, or cannot be built. */
export function migrateSqlite(connection: Connection, directory: URL, now: number, log: Log): void {
  const known = readMigrations(directory, 'sqlite');
  connection.transaction(() => {
    connection.script(recordTable);
    if (connection.get(oldestColumn) === undefined) connection.script(addOldest);
    const applied = appliedMigrations(connection);
    for (const migration of pendingMigrations(known, applied)) apply(connection, migration, now);
    noteNewerSchema(known, applied, log);
  });
}

const recordTable = `
  CREATE TABLE IF NOT EXISTS schema_migrations (
    version    INTEGER PRIMARY KEY,
    name       TEXT NOT NULL,
    checksum   TEXT NOT NULL,
    applied_at INTEGER NOT NULL
  ) STRICT`;

const oldestColumn = "SELECT 1 FROM pragma_table_info('schema_migrations') WHERE name = 'oldest'";
const addOldest = 'ALTER TABLE schema_migrations ADD COLUMN oldest INTEGER';

const appliedMigrations = (connection: Connection): AppliedMigration[] =>
  connection.all('SELECT version, checksum, oldest FROM schema_migrations ORDER BY version').map((row) => ({
    version: integer(row, 'version'),
    checksum: text(row, 'checksum'),
    oldest: nullable(integer, row, 'oldest'),
  }));

function apply(connection: Connection, { version, name, sql, checksum, oldest }: Migration, now: number): void {
  try {
    connection.script(sql);
  } catch (error) {
    throw new StoreUnusable(
      `Migration ${version} (${name}) cannot be applied (${messageOf(error)}). The database is as it was before; restore a backup, or report it.`,
      { cause: error },
    );
  }
  connection.run(
    'INSERT INTO schema_migrations (version, name, checksum, applied_at, oldest) VALUES (?, ?, ?, ?, ?)',
    version,
    name,
    checksum,
    now,
    oldest,
  );
}
