/** Schema migrations: immutable numbered SQL files, each recorded with its checksum when it is applied. */
import { readdirSync, readFileSync } from 'node:fs';
import { sha256Hex } from '../base/hash.ts';
import { StoreUnusable } from './store.ts';

export interface Migration {
  /** Counts from 1 without gaps. */
  readonly version: number;
  readonly name: string;
  readonly sql: string;
  /** SHA-256 (hex) of the file with its line ends as LF, so that a checkout on Windows has the same. */
  readonly checksum: string;
}

export interface AppliedMigration {
  readonly version: number;
  readonly checksum: string;
}

/** Where the service's own migrations are. */
export const migrationsDirectory = new URL('./migrations/', import.meta.url);

/** The files `NNNN-name.<engine>.sql` of a folder, in order. Throws when a number is missing or given twice. */
export function readMigrations(directory: URL, engine: 'sqlite' | 'postgres'): Migration[] {
  const pattern = new RegExp(`^(\\d{4})-([a-z0-9-]+)\\.${engine}\\.sql$`);
  const migrations: Migration[] = [];
  for (const file of readdirSync(directory).sort()) {
    const [, digits, name] = pattern.exec(file) ?? [];
    if (digits === undefined || name === undefined) continue;
    const sql = readFileSync(new URL(file, directory), 'utf8').replaceAll('\r\n', '\n');
    migrations.push({ version: Number(digits), name, sql, checksum: sha256Hex(sql) });
  }
  migrations.forEach(({ version }, index) => {
    if (version !== index + 1) throw new Error(`Migration ${index + 1} for ${engine} is missing or given twice.`);
  });
  if (migrations.length === 0) throw new Error(`There are no migrations for ${engine} in ${directory.pathname}.`);
  return migrations;
}

/**
 * What is still to be applied. Throws StoreUnusable when the database was made by a newer version of the service, or
 * when a migration that it has applied reads differently now.
 */
export function pendingMigrations(known: readonly Migration[], applied: readonly AppliedMigration[]): Migration[] {
  const byVersion = new Map(known.map((migration) => [migration.version, migration]));
  for (const { version, checksum } of applied) {
    const migration = byVersion.get(version);
    if (migration === undefined) {
      throw new StoreUnusable(
        `The database has schema version ${version}; this release knows versions up to ${known.length}. ` +
          'Start the newer release that wrote it, or restore a backup from before the upgrade.',
      );
    }
    if (migration.checksum !== checksum) {
      throw new StoreUnusable(
        `Migration ${version} (${migration.name}) was changed after this database applied it. ` +
          'Restore the released file; a change to the schema is a new migration.',
      );
    }
  }
  const done = new Set(applied.map(({ version }) => version));
  return known.filter(({ version }) => !done.has(version));
}
