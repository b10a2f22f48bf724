/** `colophon clients list` and `clients revoke`: the registered clients in the database. */
import { systemClock } from '../base/clock.ts';
import type { Config } from '../config/environment.ts';
import { readConfig } from '../config/environment.ts';
import { openSqliteStore } from '../store/sqlite/store.ts';
import { listSqliteClients } from '../store/sqlite/upkeep.ts';
import { type Command, exitCodes } from './command.ts';
import { counted } from './terminal.ts';

/** PostgreSQL's code is loaded only where it is used. */
const postgresUpkeep = () => import('../store/postgres/upkeep.ts');

export const clientsList: Command = {
  name: 'clients list',
  summary: 'List the registered clients, newest first.',
  options: { json: { help: 'Print JSON.' } },
  details: 'This only reads the database, so servers can keep running. Secrets are stored as hashes and are not shown.',
  async run(invocation) {
    const { terminal, flag } = invocation;
    const { databaseUrl, dataDir } = readConfig(invocation.env, invocation.directory);
    const clients =
      databaseUrl === null
        ? await listSqliteClients(dataDir)
        : await (await postgresUpkeep()).listPostgresClients(databaseUrl);
    if (flag('json')) {
      const rows = clients.map(({ id, name, identityType, scopes, issuedAt, lastTokenAt, revokedAt }) => ({
        client_id: id,
        client_name: name,
        identity_type: identityType,
        scope: scopes.join(' '),
        issued_at: formatTime(issuedAt),
        last_token_at: formatTime(lastTokenAt),
        revoked_at: formatTime(revokedAt),
      }));
      terminal.out(`${JSON.stringify(rows)}\n`);
      return exitCodes.done;
    }
    for (const { id, name, issuedAt, lastTokenAt, revokedAt } of clients) {
      const state =
        revokedAt !== null ? `revoked ${formatTime(revokedAt)}` : `last token ${formatTime(lastTokenAt) ?? 'never'}`;
      terminal.out(`${id}  registered ${formatTime(issuedAt)}  ${state}  ${removeControls(name ?? '')}\n`);
    }
    terminal.out(`${counted(clients.length, 'client')}.\n`);
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
    const outcome = await revoke(readConfig(invocation.env, invocation.directory), id, systemClock.now());
    if (outcome === 'unknown') {
      terminal.error(`There is no client \`${removeControls(id)}\`. colophon clients list shows all of them.\n`);
      return exitCodes.failed;
    }
    terminal.out(outcome === 'ended' ? `${id} and all of its tokens are revoked.\n` : `${id} was already revoked.\n`);
    return exitCodes.done;
  },
};

/** Revokes a client in either database; `before` means that it was revoked already. */
async function revoke({ databaseUrl, dataDir }: Config, id: string, now: number) {
  if (databaseUrl !== null) return (await postgresUpkeep()).revokePostgresClient(databaseUrl, id, now);
  // Opening creates a missing database; listing reports it instead.
  if (!(await listSqliteClients(dataDir)).some((client) => client.id === id)) return 'unknown';
  const store = await openSqliteStore({ directory: dataDir, now });
  try {
    return (await store.revokeClient(id, now, false)) ? 'ended' : 'before';
  } finally {
    await store.close();
  }
}

const formatTime = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

/** Removes control characters: clients choose their names, which could steer the terminal. */
const removeControls = (text: string): string => text.replace(/\p{C}/gu, '');
