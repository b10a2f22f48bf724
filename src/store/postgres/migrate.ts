/** Brings a PostgreSQL schema up to date at start: one process at a time, each migration whole or not at all. */
import type { Log } from '../../base/log.ts';
import { causeOf, messageOf } from '../../base/thrown.ts';
import { integer, text } from '../row.ts';
import { type AppliedVersion, findPendingVersions, readSchema, type SchemaVersion } from '../schema.ts';
import { StoreUnusable } from '../store.ts';
import { type Queries, statement } from './queries.ts';
import type { Session } from './session.ts';

/**
 * Applies what is pending. Processes that start together wait for the first, then find nothing to do. `session` has no
 * limit on its statements. Throws StoreUnusable when the schema cannot be used or cannot be built.
 */
export async function migratePostgres(session: Session, now: number, log: Log): Promise<void> {
  await inTransaction(session, log, async () => {
    await session.script(recordTable);
    for (const version of findPendingPostgresVersions(await appliedVersions(session)))
      await apply(session, version, now);
  });
}

/** Returns the versions that are still to be applied. Throws SchemaUnusable if this release cannot use the database. */
export const findPendingPostgresVersions = (applied: readonly AppliedVersion[]): SchemaVersion[] =>
  findPendingVersions(
    readSchema('postgres'),
    applied,
    'Save what you need with pg_dump, and start on an empty database.',
  );

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
    checksum   TEXT NOT NULL,
    applied_at BIGINT NOT NULL
  )`;

const listApplied = statement('list_migrations', 'SELECT version, checksum FROM schema_migrations ORDER BY version');

const recordApplied = statement(
  'record_migration',
  'INSERT INTO schema_migrations (version, checksum, applied_at) VALUES ($1, $2, $3)',
);

/** Returns the versions of a database that has the table of versions. */
export async function appliedVersions(queries: Queries): Promise<AppliedVersion[]> {
  const rows = await queries.all(listApplied);
  return rows.map((row) => ({ version: integer(row, 'version'), checksum: text(row, 'checksum') }));
}

async function apply(session: Session, { version, sql, checksum }: SchemaVersion, now: number): Promise<void> {
  try {
    await session.script(sql);
    await session.run(recordApplied, version, checksum, now);
  } catch (error) {
    throw new StoreUnusable(
      `Schema version ${version} cannot be made (${messageOf(causeOf(error))}). The database is as it was before; ` +
        'the database’s user needs the right to create tables.',
      { cause: error },
    );
  }
}
