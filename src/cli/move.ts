/** `colophon move`: copies the SQLite database and the stored feeds to PostgreSQL. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Option } from 'commander';
import { systemClock } from '../base/clock.ts';
import { readConfig } from '../config/environment.ts';
import { getKeyFile } from '../config/secret-key.ts';
import { createFileStorage, createTableStorage } from '../feed/feed-storage.ts';
import type { FeedTable } from '../store/postgres/feeds.ts';
import { type Command, exitCodes, UsageError } from './command.ts';

/** The command `move`. */
export const move: Command = {
  name: 'move',
  summary: 'Copy the SQLite database to PostgreSQL; stop the server first.',
  options: [new Option('--to <URL>', 'The PostgreSQL database, which must be empty: postgres://user@host:5432/name.')],
  details: `Clients, tokens, jobs and the copies of feeds are copied in one transaction, and the rows of each table are counted
afterwards. The SQLite file stays in DATA_DIR under another name. PGPASSWORD is used if the URL has no password.`,
  async run({ terminal: { out }, env, directory, value }) {
    const url = value('to');
    if (url === null) throw new UsageError('--to names the PostgreSQL database.');
    const { dataDir, secretKey, secretKeyFile } = readConfig(env, directory);
    const { moveToPostgres } = await import('../store/postgres/move.ts');
    const copyFeeds = (feeds: FeedTable) => copyFeedFiles(join(dataDir, 'feed'), feeds);
    const { counts, oldFile } = await moveToPostgres({ directory: dataDir, url, now: systemClock.now(), copyFeeds });
    for (const [table, count] of counts) out(`${table.padEnd(18)} ${count}\n`);
    out(`All of it is in PostgreSQL now, and the SQLite database is ${oldFile}.\n`);
    const key = secretKey === null ? `SECRET_KEY_FILE=${secretKeyFile ?? getKeyFile(dataDir)}` : 'the same SECRET_KEY';
    out(`Start every server with DATABASE_URL and ${key}.\n`);
    return exitCodes.done;
  },
};

/**
 * Copies the stored feeds, whose history is what a replayed older feed is recognized by, and returns how many there were; 0 if the
 * folder is missing or cannot be read. Rejects if a feed cannot be read or saved.
 */
async function copyFeedFiles(folder: string, table: FeedTable): Promise<number> {
  const [from, to] = [createFileStorage(folder), createTableStorage(table)];
  const keys = (await readdir(folder).catch(() => [])).flatMap((name) => /^feed-(\w+)$/.exec(name)?.[1] ?? []);
  for (const key of keys) {
    const copy = await from.load(key);
    if (copy !== null) await to.save(key, copy);
  }
  return keys.length;
}
