/** Schema migrations: immutable numbered SQL files, each recorded with its checksum when it is applied. */
import { readdirSync, readFileSync } from 'node:fs';
import { sha256Hex } from '../base/hash.ts';
import type { Log } from '../base/log.ts';
import { StoreUnusable } from './store.ts';

export interface Migration {
  /** Counts from 1 without gaps. */
  readonly version: number;
  readonly name: string;
  readonly sql: string;
  /** SHA-256 (hex) of the file with its line ends as LF, so that a checkout on Windows has the same. */
  readonly checksum: string;
  /** The oldest schema version whose release can still run once this is applied; its own where the file declares none. */
  readonly oldest: number;
}

export interface AppliedMigration {
  readonly version: number;
  readonly checksum: string;
  /** As the release that applied it declared. Null: it declared nothing. */
  readonly oldest: number | null;
}

/** Where the service's own migrations are. */
export const migrationsDirectory = new URL('./migrations/', import.meta.url);

/** What a migration declares in a comment. Releases that do not know the migration read it in the database. */
export const declaration = /^-- Oldest schema version that can run on this: (\d+)\.?$/m;

/** The files `NNNN-name.<engine>.sql` of a folder, in order. Throws when a number is missing or given twice. */
export function readMigrations(directory: URL, engine: 'sqlite' | 'postgres'): Migration[] {
  const pattern = new RegExp(`^(\\d{4})-([a-z0-9-]+)\\.${engine}\\.sql$`);
  const migrations: Migration[] = [];
  for (const file of readdirSync(directory).sort()) {
    const [, digits, name] = pattern.exec(file) ?? [];
    if (digits === undefined || name === undefined) continue;
    const sql = readFileSync(new URL(file, directory), 'utf8').replaceAll('\r\n', '\n');
    const version = Number(digits);
    const oldest = Number(declaration.exec(sql)?.[1] ?? version);
    migrations.push({ version, name, sql, checksum: sha256Hex(sql), oldest });
  }
  migrations.forEach(({ version }, index) => {
    if (version !== index + 1) throw new Error(`Migration ${index + 1} for ${engine} is missing or given twice.`);
  });
  if (migrations.length === 0) throw new Error(`There are no migrations for ${engine} in ${directory.pathname}.`);
  return migrations;
}

/**
 * What is still to be applied. Throws StoreUnusable when a newer release changed the database in a way that this one cannot
 * run on, or when a migration that it has applied reads differently now.
 */
export function pendingMigrations(known: readonly Migration[], applied: readonly AppliedMigration[]): Migration[] {
  requireUsable(known, applied);
  const byVersion = new Map(known.map((migration) => [migration.version, migration]));
  for (const { version, checksum } of applied) {
    const migration = byVersion.get(version);
    if (migration !== undefined && migration.checksum !== checksum) {
      throw new StoreUnusable(
        `Migration ${version} (${migration.name}) was changed after this database applied it. ` +
          'Restore the released file; a change to the schema is a new migration.',
      );
    }
  }
  const done = new Set(applied.map(({ version }) => version));
  return known.filter(({ version }) => !done.has(version));
}

/** A newer release may have migrated the database: during a rollout, and after one that was taken back. */
function requireUsable(known: readonly Migration[], applied: readonly AppliedMigration[]): void {
  const oldest = Math.max(...newer(known, applied).map((migration) => migration.oldest ?? migration.version), 0);
  if (oldest <= known.length) return;
  throw new StoreUnusable(
    `The database has schema version ${schemaVersion(applied)}, which needs a release that knows version ${oldest}; this one knows ` +
      `versions up to ${known.length}. Start the newer release, or restore a backup from before the upgrade.`,
  );
}

/** The database's schema version where a newer release made it, and this one can run on it; otherwise null. */
export function newerSchema(known: readonly Migration[], applied: readonly AppliedMigration[]): number | null {
  return newer(known, applied).length > 0 ? schemaVersion(applied) : null;
}

const newer = (known: readonly Migration[], applied: readonly AppliedMigration[]): AppliedMigration[] =>
  applied.filter(({ version }) => version > known.length);

const schemaVersion = (applied: readonly AppliedMigration[]): number =>
  Math.max(...applied.map(({ version }) => version));

/** In the log of a start, since whoever rolled back looks there. */
export function noteNewerSchema(known: readonly Migration[], applied: readonly AppliedMigration[], log: Log): void {
  const version = newerSchema(known, applied);
  if (version === null) return;
  log.info(
    { event: 'store.newer_schema', version, known: known.length },
    `the database has schema version ${version} of a newer release, which this one, of version ${known.length}, can run on`,
  );
}
