/** Brings a PostgreSQL schema up to date at start: one process at a time, each migration whole or not at all. */
import type { Log } from '../../base/log.ts';
import { causeOf, messageOf } from '../../base/thrown.ts';
import {
  type AppliedMigration,
  type Migration,
  noteNewerSchema,
  pendingMigrations,
  readMigrations,
} from '../migrate.ts';
import { integer, nullable, text } from '../row.ts';
import { StoreUnusable } from '../store.ts';
import { type Queries, statement } from './queries.ts';
import type { Session } from './session.ts';

/**
 * Applies what is pending. Processes that start together wait for the first, then find nothing to do. `session` has no
 * limit on its statements. Throws StoreUnusable when the schema is newer than the code, was changed, or cannot be built.
 */
export async function migratePostgres(session: Session, directory: URL, now: number, log: Log): Promise<void> {
  await inTransaction(session, log, () => session.script(recordTable));
  const known = readMigrations(directory, 'postgres');
  for (let done = false; !done; ) {
    await inTransaction(session, log, async () => {
      const applied = await appliedMigrations(session);
      const [next] = pendingMigrations(known, applied);
      if (next !== undefined) return apply(session, next, now);
      noteNewerSchema(known, applied, log);
      done = true;
    });
  }
}

/** The lock lasts as long as the transaction, which a pooler gives one connection of the database. */
async function inTransaction(session: Session, log: Log, work: () => Promise<void>): Promise<void> {
  await session.script('BEGIN');
  try {
    if ((await session.get(tryLock, migrationLock))?.locked !== true) {
      log.info({ event: 'store.waiting' }, 'another process brings the schema up to date; waiting for it');
      await session.get(lock, migrationLock);
    }
    await work();
    await session.script('COMMIT');
  } catch (error) {
    await session.script('ROLLBACK').catch(() => {});
    throw error;
  }
}

/** Advisory locks are numbers that the whole database shares; this one is the first 48 bits of "colophon". */
const migrationLock = 0x636f6c6f7068;

const tryLock = statement('try_lock_migrations', 'SELECT pg_try_advisory_xact_lock($1) AS locked');
const lock = statement('lock_migrations', 'SELECT pg_advisory_xact_lock($1)');

const recordTable = `
  CREATE TABLE IF NOT EXISTS schema_migrations (
    version    INTEGER PRIMARY KEY,
    name       TEXT NOT NULL,
    checksum   TEXT NOT NULL,
    applied_at BIGINT NOT NULL,
    oldest     INTEGER
  );
  DO $$ BEGIN
    -- Only where it is missing: the change waits for everyone who reads the table, and a dump reads it for as long as it lasts.
    IF NOT EXISTS (SELECT FROM pg_attribute WHERE attrelid = 'schema_migrations'::regclass AND attname = 'oldest') THEN
      ALTER TABLE schema_migrations ADD COLUMN oldest INTEGER;
    END IF;
  END $$`;

/** Reads rows as JSON, since the column is missing in a database that no server has opened since it was introduced. */
const listApplied = statement(
  'list_migrations',
  `SELECT version, checksum, (to_jsonb(schema_migrations) ->> 'oldest')::integer AS oldest
   FROM schema_migrations ORDER BY version`,
);

const recordApplied = statement(
  'record_migration',
  'INSERT INTO schema_migrations (version, name, checksum, applied_at, oldest) VALUES ($1, $2, $3, $4, $5)',
);

/** Of a database that has the table of migrations. */
export async function appliedMigrations(queries: Queries): Promise<AppliedMigration[]> {
  const rows = await queries.all(listApplied);
  return rows.map((row) => ({
    version: integer(row, 'version'),
    checksum: text(row, 'checksum'),
    oldest: nullable(integer, row, 'oldest'),
  }));
}

async function apply(session: Session, migration: Migration, now: number): Promise<void> {
  const { version, name, sql, checksum, oldest } = migration;
  try {
    await session.script(sql);
    await session.run(recordApplied, version, name, checksum, now, oldest);
  } catch (error) {
    throw new StoreUnusable(
      `Migration ${version} (${name}) cannot be applied (${messageOf(causeOf(error))}). The database is as it was before; ` +
        'the database’s user needs the right to create tables.',
      { cause: error },
    );
  }
}
