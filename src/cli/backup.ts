/** `colophon backup` and `restore`: a copy of the SQLite database, and the way back. */
import { resolve } from 'node:path';
import { systemClock } from '../base/clock.ts';
import { readConfig } from '../config/environment.ts';
import { removePassword } from '../store/postgres/address.ts';
import { backUp, restore as restoreBackup } from '../store/sqlite/upkeep.ts';
import { type Command, type ExitCode, exitCodes, type Invocation } from './command.ts';

export const backup: Command = {
  name: 'backup',
  summary: 'Copy the database to a file and verify the copy; the server can keep running.',
  argument: { name: 'FILE', help: 'The copy; the file must not exist yet.', required: true },
  options: {},
  details: 'Store DATA_DIR/secret-key, or SECRET_KEY, with it: it signs cursors and job IDs.',
  async run(invocation) {
    const { databaseUrl, dataDir } = readConfig(invocation.env, invocation.directory);
    if (databaseUrl !== null) {
      const command = `pg_dump --format=custom --file=${quoted(invocation.argument ?? '')}`;
      return leaveToPostgres(invocation, `${command} ${quoted(removePassword(databaseUrl))}`);
    }
    const file = resolve(invocation.directory, invocation.argument ?? '');
    backUp(dataDir, file);
    invocation.terminal.out(`${file} is a complete copy. Keep the secret key with it.\n`);
    return exitCodes.done;
  },
};

export const restore: Command = {
  name: 'restore',
  summary: 'Replace the database with a backup; stop the server first.',
  argument: { name: 'FILE', help: 'A copy made by colophon backup.', required: true },
  options: {},
  details: `The backup is verified first, and the old database is kept next to it. Anything revoked after the backup is valid again:
revoke it again.`,
  async run(invocation) {
    const { databaseUrl, dataDir: directory } = readConfig(invocation.env, invocation.directory);
    if (databaseUrl !== null) {
      const command = 'pg_restore --clean --if-exists --no-owner --single-transaction';
      const to = `--dbname=${quoted(removePassword(databaseUrl))}`;
      return leaveToPostgres(invocation, `${command} ${to} ${quoted(invocation.argument ?? '')}`);
    }
    const kept = restoreBackup(directory, resolve(invocation.directory, invocation.argument ?? ''), systemClock.now());
    invocation.terminal.out(`The backup was restored to ${directory}.\n`);
    if (kept !== null) invocation.terminal.out(`The old database is ${kept}.\n`);
    return exitCodes.done;
  },
};

function leaveToPostgres({ terminal }: Invocation, command: string): ExitCode {
  terminal.error(`DATABASE_URL is a PostgreSQL database, which has its own program for this: ${command}\n`);
  return exitCodes.failed;
}

/** For a shell. */
const quoted = (word: string): string => (/^[\w./:@%=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);
