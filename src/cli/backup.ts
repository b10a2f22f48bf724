/** `colophon backup` and `restore`: copy the SQLite database to a file, and replace the database with a copy. */
import { resolve } from 'node:path';
import { Argument } from 'commander';
import { systemClock } from '../base/clock.ts';
import { readConfig } from '../config/environment.ts';
import { removePassword } from '../store/postgres/address.ts';
import { backUp, restore as restoreBackup } from '../store/sqlite/upkeep.ts';
import { type Command, type ExitCode, exitCodes } from './command.ts';
import type { Terminal } from './terminal.ts';

/** The command `backup`. */
export const backup: Command = {
  name: 'backup',
  summary: 'Copy the database to a file and verify the copy; the server can keep running.',
  argument: new Argument('<FILE>', 'Path of the backup. The file must not exist yet.'),
  details: 'Store DATA_DIR/secret-key, or SECRET_KEY, with it: it signs cursors and job IDs.',
  async run({ terminal, env, directory, argument }) {
    const { databaseUrl, dataDir } = readConfig(env, directory);
    const file = argument ?? '';
    if (databaseUrl !== null) {
      const url = quote(removePassword(databaseUrl));
      return leaveToPostgres(terminal, `pg_dump --format=custom --file=${quote(file)} ${url}`);
    }
    backUp(dataDir, resolve(directory, file));
    terminal.out(`${resolve(directory, file)} is a complete copy. Keep the secret key with it.\n`);
    return exitCodes.done;
  },
};

/** The command `restore`. */
export const restore: Command = {
  name: 'restore',
  summary: 'Replace the database with a backup; stop the server first.',
  argument: new Argument('<FILE>', 'A copy made by colophon backup.'),
  details: `The backup is verified first, and the old database is kept next to it. Anything revoked after the backup is valid again:
revoke it again.`,
  async run({ terminal, env, directory, argument }) {
    const { databaseUrl, dataDir } = readConfig(env, directory);
    const file = argument ?? '';
    if (databaseUrl !== null) {
      const target = `--dbname=${quote(removePassword(databaseUrl))} ${quote(file)}`;
      return leaveToPostgres(terminal, `pg_restore --clean --if-exists --no-owner --single-transaction ${target}`);
    }
    const oldDatabase = restoreBackup(dataDir, resolve(directory, file), systemClock.now());
    terminal.out(`The backup was restored to ${dataDir}.\n`);
    if (oldDatabase !== null) terminal.out(`The old database is ${oldDatabase}.\n`);
    return exitCodes.done;
  },
};

function leaveToPostgres({ error }: Terminal, command: string): ExitCode {
  error(`DATABASE_URL is a PostgreSQL database, which has its own program for this: ${command}\n`);
  return exitCodes.failed;
}

/** Quotes an argument for a POSIX shell, '' included; one that needs no quotes stays as it is. */
const quote = (word: string): string => (/^[\w./:@%=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);
