/** The versions of each engine's schema: which files make them, and whether this release can use a database's version. */
import { readFileSync } from 'node:fs';
import { sha256Hex } from '../base/hash.ts';
import { StoreUnusable } from './store.ts';

export type Engine = 'sqlite' | 'postgres';

export interface SchemaVersion {
  /** Counts from 1. */
  readonly version: number;
  readonly sql: string;
  /** SHA-256 (hex) of the file with LF as its line ends, so that a checkout on Windows has the same. */
  readonly checksum: string;
}

/** A version that a database has, as `schema_migrations` records it. */
export type AppliedVersion = Omit<SchemaVersion, 'sql'>;

/** Files that make version 1, 2 and so on. A file that was released is never changed; a change is a further file. */
const files = ['schema.sql'];

/** Reads the versions that this release knows, in order. */
export const readSchema = (engine: Engine): SchemaVersion[] =>
  files.map((file, index) => {
    const sql = readFileSync(new URL(`./${engine}/${file}`, import.meta.url), 'utf8').replaceAll('\r\n', '\n');
    return { version: index + 1, sql, checksum: sha256Hex(sql) };
  });

/** A database whose schema this release cannot use. Starting again does not help. */
export class SchemaUnusable extends StoreUnusable {
  override name = 'SchemaUnusable';
}

/**
 * Returns the versions that are still to be applied.
 * @param startEmpty How to start on an empty database, as a sentence.
 * @throws SchemaUnusable if an unreleased version or a newer release made the database.
 */
export function findPendingVersions(
  known: readonly SchemaVersion[],
  applied: readonly AppliedVersion[],
  startEmpty: string,
): SchemaVersion[] {
  for (const { version, checksum } of applied) {
    const file = known[version - 1];
    if (file === undefined || file.checksum === checksum) continue;
    throw new SchemaUnusable(
      `This database was made by an unreleased version of Colophon (before 0.1.0). ${startEmpty}`,
    );
  }
  const newest = Math.max(...applied.map(({ version }) => version), 0);
  if (newest > known.length) {
    throw new SchemaUnusable(
      `The database has schema version ${newest}; this release knows versions up to ${known.length}. ` +
        'Start the newer release, or restore a backup from before the upgrade.',
    );
  }
  return known.slice(newest);
}
