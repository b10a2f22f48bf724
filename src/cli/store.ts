/** `colophon clients`, `backup` and `restore`: what an operator does with the database. */
import { resolve } from 'node:path';
import { systemClock } from '../base/clock.ts';
import type { Config } from '../config/environment.ts';
import { loadConfig } from '../config/file.ts';
import { withoutPassword } from '../store/postgres/address.ts';
import { openSqliteStore } from '../store/sqlite/store.ts';
import { backUp, listClients, restore as restoreBackup } from '../store/sqlite/upkeep.ts';
import type { Command, Invocation } from './command.ts';
import { type ExitCode, exitCodes } from './exit-codes.ts';

const configOf = ({ env, directory }: Invocation): Config => loadConfig(env, directory);

/** Loaded only where it is used. */
const postgresUpkeep = () => import('../store/postgres/upkeep.ts');

export const clientsList: Command = {
  name: 'clients list',
  summary: 'List the registered clients, newest first.',
  options: { json: { help: 'Print JSON.' } },
  details: 'This only reads the database, so servers can keep running. Secrets are stored as hashes and are not shown.',
  async run(invocation) {
    const { terminal, flag } = invocation;
    const { databaseUrl, dataDir } = configOf(invocation);
    const clients =
      databaseUrl === null ? listClients(dataDir) : await (await postgresUpkeep()).listPostgresClients(databaseUrl);
    if (flag('json')) {
      const shown = clients.map(({ id, name, identityType, scopes, issuedAt, lastTokenAt, revokedAt }) => ({
        client_id: id,
        client_name: name,
        identity_type: identityType,
        scope: scopes.join(' '),
        issued_at: moment(issuedAt),
        last_token_at: moment(lastTokenAt),
        revoked_at: moment(revokedAt),
      }));
      terminal.out(`${JSON.stringify(shown)}\n`);
      return exitCodes.done;
    }
    for (const { id, name, issuedAt, lastTokenAt, revokedAt } of clients) {
      const state =
        revokedAt !== null ? `revoked ${moment(revokedAt)}` : `last token ${moment(lastTokenAt) ?? 'never'}`;
      terminal.out(`${id}  registered ${moment(issuedAt)}  ${state}  ${printable(name ?? '')}\n`);
    }
    terminal.out(`${clients.length} client${clients.length === 1 ? '' : 's'}.\n`);
    return exitCodes.done;
  },
};

export const clientsRevoke: Command = {
  name: 'clients revoke',
  summary: 'Revoke a client and all its tokens, permanently.',
  argument: { name: 'CLIENT_ID', help: 'The client; see colophon clients list.', required: true },
  options: {},
  details: `With PostgreSQL, servers can keep running and notice at their next request. With SQLite, stop the server first, since only
one process can write to the database; while it runs, anyone with the client’s secret can revoke it at /oauth/revoke.`,
  async run(invocation) {
    const { terminal } = invocation;
    const id = invocation.argument ?? '';
    const outcome = await revoke(configOf(invocation), id, systemClock.now());
    if (outcome === 'unknown') {
      terminal.error(`There is no client \`${printable(id)}\`. colophon clients list shows all of them.\n`);
      return exitCodes.failed;
    }
    terminal.out(outcome === 'ended' ? `${id} and all of its tokens are revoked.\n` : `${id} was already revoked.\n`);
    return exitCodes.done;
  },
};

async function revoke({ databaseUrl, dataDir }: Config, id: string, now: number) {
  if (databaseUrl !== null) return (await postgresUpkeep()).revokePostgresClient(databaseUrl, id, now);
  // Opening makes a database where there is none; listing says so instead.
  if (!listClients(dataDir).some((client) => client.id === id)) return 'unknown';
  const store = await openSqliteStore({ directory: dataDir, now });
  try {
    return (await store.revokeClient(id, now, false)) ? 'ended' : 'before';
  } finally {
    await store.close();
  }
}

export const backup: Command = {
  name: 'backup',
  summary: 'Copy the database to a file and verify the copy; the server can keep running.',
  argument: { name: 'FILE', help: 'The copy; the file must not exist yet.', required: true },
  options: {},
  details: 'Store DATA_DIR/secret-key, or SECRET_KEY, with it: it signs cursors and job IDs.',
  async run(invocation) {
    const { databaseUrl, dataDir } = configOf(invocation);
    if (databaseUrl !== null) {
      const command = `pg_dump --format=custom --file=${quoted(invocation.argument ?? '')}`;
      return leaveToPostgres(invocation, `${command} ${quoted(withoutPassword(databaseUrl))}`);
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
    const { databaseUrl, dataDir: directory } = configOf(invocation);
    if (databaseUrl !== null) {
      const command = 'pg_restore --clean --if-exists --no-owner --single-transaction';
      const to = `--dbname=${quoted(withoutPassword(databaseUrl))}`;
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

const moment = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());

/** Clients name themselves: what would steer a terminal is left out. */
const printable = (text: string): string => text.replace(/\p{C}/gu, '');
