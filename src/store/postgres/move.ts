/** Copies the SQLite database of a data folder into an empty PostgreSQL database: everything, or nothing. */
import { renameSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { type Queries, StoreUnusable, type Value } from '../database.ts';
import { integer } from '../record.ts';
import { getDatabaseFile, openSqliteStore } from '../sqlite/store.ts';
import { requireFile } from '../sqlite/upkeep.ts';
import { createFeedTable, type FeedTable } from './feeds.ts';
import { makeSchema, useDatabase } from './store.ts';

/** The two databases of a move. */
export interface MoveOptions {
  /** DATA_DIR, which no server uses meanwhile. */
  readonly directory: string;
  /** The URL of the PostgreSQL database, which has to be empty. */
  readonly url: string;
  /** Milliseconds since 1970, for the new name of the SQLite file. */
  readonly now: number;
  /** Copies the feeds of the data folder to the table, in the same transaction as all other tables, and returns how many. */
  copyFeeds(feeds: FeedTable): Promise<number>;
}

/**
 * Copies every table into an empty database, with the feeds by `copyFeeds`, compares the number of rows of each, and renames the
 * SQLite file, so that no server uses it by mistake.
 * @returns The new path of the file (`oldFile`), and the number of rows by table, with that of the feeds as `feeds` (`counts`).
 * @throws StoreUnusable, with nothing copied or renamed, or the file system's error if only the renaming fails
 */
export async function moveToPostgres({ directory, url, now, copyFeeds }: MoveOptions) {
  const file = getDatabaseFile(directory);
  requireFile(file);
  // Opening makes sure that no server runs, that the file is intact, and that its schema is that of this release.
  const store = await openSqliteStore({ directory, now });
  const source = new DatabaseSync(file, { readOnly: true });
  const copy = async (queries: Queries): Promise<Map<string, number>> => {
    const counts = new Map<string, number>();
    for (const { name } of source.prepare(tables).all()) {
      counts.set(String(name), await copyTable(source, queries, String(name)));
    }
    return counts.set('feeds', await copyFeeds(createFeedTable(queries)));
  };
  const work = useDatabase(url, async (database) => {
    await makeSchema(database, now);
    return database.transaction(copy);
  });
  const counts = await work.finally(() => {
    source.close();
    return store.close();
  });
  const oldFile = `${file}.moved-${now}`;
  renameSync(file, oldFile);
  return { counts, oldFile };
}

/** Tables in the order of their creation: none refers to a later one. */
const tables = `
  SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'schema_migrations' ORDER BY rowid`;

/**
 * Copies a table row by row, since a part of an exported file has a megabyte. Returns the number of rows. Throws StoreUnusable if
 * the target has rows already, or fewer than the source afterwards.
 */
async function copyTable(source: DatabaseSync, target: Queries, table: string): Promise<number> {
  const countRows = `SELECT count(*) AS count FROM ${table}`;
  const countCopied = async (): Promise<number> => integer.read((await target.get(countRows)) ?? {}, 'count');
  if ((await countCopied()) > 0)
    throw new StoreUnusable(`Its table ${table} has rows already. Name an empty database.`);
  for (const row of source.prepare(`SELECT * FROM ${table}`).iterate()) {
    const values = Object.values(row) as Value[];
    const parameters = values.map((_, index) => `?${index + 1}`);
    await target.run(`INSERT INTO ${table} (${Object.keys(row)}) VALUES (${parameters})`, ...values);
  }
  const [expected, copied] = [integer.read(source.prepare(countRows).get() ?? {}, 'count'), await countCopied()];
  if (copied === expected) return copied;
  throw new StoreUnusable(
    `Only ${copied} of the ${expected} rows of ${table} arrived. Nothing was changed; try again.`,
  );
}
