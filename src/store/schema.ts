/** Makes the schema of a database, and refuses one that this release cannot use. */
import { readFileSync } from 'node:fs';
import { sha256Hex } from '../base/hash.ts';
import { fillTemplate } from '../base/template.ts';
import { type Queries, StoreUnusable } from './database.ts';

type Engine = keyof typeof engines;

/** The files, the names of types and the advice of each engine. */
const engines = {
  sqlite: {
    /** Files that make version 1, 2 and so on. A released file is never changed; a change is a further file. */
    versions: [['schema.sql']],
    /** Names of types and table options. */
    placeholders: {
      id: 'TEXT',
      bytes: 'BLOB',
      integer: 'INTEGER',
      strict: 'STRICT',
      strict_without_rowid: 'STRICT, WITHOUT ROWID',
    },
    howToStartEmpty:
      'Move colophon.sqlite out of DATA_DIR to start on an empty one: every client then has to register again.',
  },
  postgres: {
    versions: [['schema.sql', 'postgres/schema.sql']],
    placeholders: {
      // IDs are compared byte by byte, whatever the collation of the database.
      id: 'TEXT COLLATE "C"',
      bytes: 'BYTEA',
      integer: 'BIGINT',
      strict: '',
      strict_without_rowid: '',
    },
    howToStartEmpty: 'Save what you need with pg_dump, and start on an empty database.',
  },
} as const;

/**
 * Reads the versions that this release knows, in order: the number, from 1, the SQL and the checksum of each. A checksum is the
 * SHA-256 (hex) of the statements with LF as their line ends, so that a checkout on Windows has the same.
 */
export const readSchema = (engine: Engine) =>
  engines[engine].versions.map((names, index) => {
    const text = names.map((name) => readFileSync(new URL(name, import.meta.url), 'utf8')).join('\n');
    const sql = fillTemplate(text.replaceAll('\r\n', '\n'), engines[engine].placeholders);
    return { version: index + 1, sql, checksum: sha256Hex(sql) };
  });

/** The error for a database whose schema this release cannot use. Starting again does not help. */
export class SchemaUnusable extends StoreUnusable {
  override name = 'SchemaUnusable';
}

/**
 * Applies and records the versions that are missing. `queries` are those of one transaction, which excludes other processes, and
 * `now` is in milliseconds since 1970.
 * @throws SchemaUnusable if an unreleased version or a newer release made the database.
 */
export async function migrate(queries: Queries, engine: Engine, now: number): Promise<void> {
  await queries.script(fillTemplate(versionTable, engines[engine].placeholders));
  for (const { version, sql, checksum } of await findPendingVersions(queries, engine)) {
    await queries.script(sql);
    const record = 'INSERT INTO schema_migrations (version, checksum, applied_at) VALUES (?1, ?2, ?3)';
    await queries.run(record, version, checksum, now);
  }
}

const versionTable = `
  CREATE TABLE IF NOT EXISTS schema_migrations (
    version INTEGER PRIMARY KEY, checksum TEXT NOT NULL, applied_at {{integer}} NOT NULL) {{strict}}`;

/**
 * Returns the versions that a database with a table of versions does not have yet, in order; without that table, it rejects as the
 * query does.
 * @throws SchemaUnusable as `migrate` does
 */
export async function findPendingVersions(queries: Queries, engine: Engine): Promise<ReturnType<typeof readSchema>> {
  const versions = readSchema(engine);
  const rows = await queries.all('SELECT checksum FROM schema_migrations ORDER BY version');
  const isUnreleased = versions.some(({ checksum }, index) => (rows[index]?.checksum ?? checksum) !== checksum);
  if (isUnreleased) {
    throw new SchemaUnusable(
      `This database was made by an unreleased version of Colophon (before 0.1.0). ${engines[engine].howToStartEmpty}`,
    );
  }
  if (rows.length <= versions.length) return versions.slice(rows.length);
  throw new SchemaUnusable(
    `The database has schema version ${rows.length}; this release knows versions up to ${versions.length}. ` +
      'Start the newer release, or restore a backup from before the upgrade.',
  );
}
